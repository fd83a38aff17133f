import type { UserRole } from '~/domain/context'
import type { LayoutData } from '~/http/loaders/layout.server'
import { figure } from '~/lib/figures'
import { Badge, type BadgeTone } from '../ui/badge'
import { useLiveQuota } from './live-quota'

const ROLE_NAMES = { admin: 'Admin', editor: 'Editor', user: 'User' } as const satisfies Record<
  UserRole,
  string
>

type Expiry = { text: string; after: string; tone: BadgeTone }

/**
 * Returns the badge of the remaining days and the text after it. Seven days or fewer are a warning.
 */
function expiry(daysLeft: number | null): Expiry {
  if (daysLeft === null) return { text: 'No expiry', after: '', tone: 'neutral' }
  if (daysLeft < 0) return { text: 'Expired', after: '', tone: 'bad' }
  return { text: `${daysLeft}d`, after: 'left', tone: daysLeft <= 7 ? 'warn' : 'neutral' }
}

type Props = Pick<LayoutData, 'user' | 'quota' | 'monthLimit'>

/** Returns today's use as the open page knows it, such as 26/1,000. */
export function useToday({ user, quota }: Pick<Props, 'user' | 'quota'>): string {
  const live = useLiveQuota()
  return share(live?.used ?? user.videosGeneratedToday, live?.limit ?? quota.limit)
}

/** The signed-in user, the expiry and the usage (decision Q-4: two true figures). */
export function AccountCard({ user, quota, monthLimit }: Props) {
  const { text, after, tone } = expiry(user.daysLeft)
  const today = useToday({ user, quota })
  const month = useLiveQuota()?.usedThisMonth ?? user.videosGeneratedThisMonth
  return (
    <section aria-label="Account Info" className="px-2.5 text-sm">
      <div className="flex items-center justify-between gap-2">
        <p className="min-w-0 break-words font-medium">{user.username}</p>
        <Badge tone={user.role === 'admin' ? 'accent' : 'neutral'}>{ROLE_NAMES[user.role]}</Badge>
      </div>
      <div className="mt-1.5 flex items-center justify-between gap-2 text-soft">
        <span>{user.plan ?? 'No plan'}</span>
        <span className="whitespace-nowrap tiny:whitespace-normal">
          <Badge tone={tone}>{text}</Badge> {after}
        </span>
      </div>
      <dl className="mt-2 space-y-0.5 tabular-nums text-soft">
        <Use name="Today" use={today} />
        <Use name="This month" use={share(month, monthLimit)} />
      </dl>
    </section>
  )
}

const share = (used: number, limit: number) => `${figure(used)}/${figure(limit)}`

function Use({ name, use }: { name: string; use: string }) {
  return (
    <div className="flex justify-between gap-2">
      <dt>{name}</dt>
      <dd className="text-ink">{use}</dd>
    </div>
  )
}
