import type { ApiKeyView } from '~/domain/accounts/api-keys.server'
import { Badge } from '../ui/badge'
import { DayTime } from '../ui/day-time'

/** What is known of a key, for its owner and for administrators. */
export function KeyFacts({ apiKey }: { apiKey: ApiKeyView }) {
  const { name, start, createdAt, lastUsedAt, expiresAt, hasEnded } = apiKey
  return (
    <span className="min-w-0 space-y-0.5">
      <span className="flex flex-wrap items-center gap-2 text-base font-medium">
        <bdi className="min-w-0 break-words">{name}</bdi>
        {hasEnded && <Badge tone="warn">Ended</Badge>}
      </span>
      <span className="block text-sm tabular-nums text-soft">
        <code>{start}…</code> · created <DayTime instant={createdAt} /> ·{' '}
        {lastUsedAt === null ? (
          'never used'
        ) : (
          <>
            last used <DayTime instant={lastUsedAt} />
          </>
        )}
        {expiresAt !== null && (
          <>
            {' '}
            · {hasEnded ? 'ended' : 'ends'} <DayTime instant={expiresAt} />
          </>
        )}
      </span>
    </span>
  )
}
