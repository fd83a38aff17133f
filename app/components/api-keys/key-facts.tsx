import type { ApiKeyView } from '~/domain/accounts/api-keys.server'
import { dayAndTime, shortDay } from '~/lib/time'
import { Badge } from '../ui/badge'
import { usePlatformZone } from '../ui/use-root-data'

/** What is known of a key, for its owner and for administrators. */
export function KeyFacts({ apiKey }: { apiKey: ApiKeyView }) {
  const timeZone = usePlatformZone()
  const { name, start, createdAt, lastUsedAt, expiresAt, hasEnded } = apiKey
  const day = (moment: string) => shortDay(moment, timeZone)
  const facts = [
    `created ${day(createdAt)}`,
    lastUsedAt === null ? 'never used' : `last used ${dayAndTime(lastUsedAt, timeZone)}`,
    ...(expiresAt === null
      ? []
      : [`${hasEnded ? 'ended' : 'ends'} ${dayAndTime(expiresAt, timeZone)}`]),
  ]
  return (
    <span className="min-w-0 space-y-0.5">
      <span className="flex flex-wrap items-center gap-2 text-base font-medium">
        <bdi className="min-w-0 break-words">{name}</bdi>
        {hasEnded && <Badge tone="warn">Ended</Badge>}
      </span>
      <span className="block text-sm tabular-nums text-soft">
        <code>{start}…</code> · {facts.join(' · ')}
      </span>
    </span>
  )
}
