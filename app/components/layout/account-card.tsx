import { Link, useLocation } from '@remix-run/react'
import type { UserRole } from '~/domain/context'
import type { LayoutData } from '~/http/loaders/layout.server'
import { dialogAddress } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { figure } from '~/lib/figures'
import { Badge, type BadgeTone } from '../ui/badge'
import { CHANGE_PASSWORD } from './change-password-address'
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

const LINK =
  'inline-flex min-h-11 items-center rounded px-1 text-xs text-soft underline-offset-4 hover:text-ink hover:underline md:min-h-8'

type Props = Pick<LayoutData, 'user' | 'quota' | 'monthLimit' | 'mayUseApi'>

/** The signed-in user, the expiry and the usage (decision Q-4: two true figures). */
export function AccountCard({ user, quota, monthLimit, mayUseApi }: Props) {
  const { text, after, tone } = expiry(user.daysLeft)
  const { search } = useLocation()
  const live = useLiveQuota()
  const today = live?.used ?? user.videosGeneratedToday
  const month = live?.usedThisMonth ?? user.videosGeneratedThisMonth
  return (
    <section aria-label="Account Info" className="px-3 text-sm">
      <div className="flex items-center justify-between gap-2">
        <p className="truncate font-medium">{user.username}</p>
        <Badge tone={user.role === 'admin' ? 'accent' : 'neutral'}>{ROLE_NAMES[user.role]}</Badge>
      </div>
      <div className="mt-1.5 flex items-center justify-between gap-2 text-soft">
        <span>{user.plan ?? 'No plan'}</span>
        <span className="whitespace-nowrap tiny:whitespace-normal">
          <Badge tone={tone}>{text}</Badge> {after}
        </span>
      </div>
      <dl className="mt-2 space-y-0.5 tabular-nums text-soft">
        <Use name="Today" used={today} limit={live?.limit ?? quota.limit} />
        <Use name="This month" used={month} limit={monthLimit} />
      </dl>
      <div className="-mx-1 mt-1 flex flex-wrap gap-x-2">
        <Link to={dialogAddress(search, CHANGE_PASSWORD)} preventScrollReset className={LINK}>
          Change Password
        </Link>
        <Link to={paths.usage} className={LINK}>
          Usage
        </Link>
        <Link to={paths.sessions} className={LINK}>
          Devices
        </Link>
        <Link to={paths.notifications} className={LINK}>
          Notifications
        </Link>
        {mayUseApi && (
          <Link to={paths.apiKeys} className={LINK}>
            API keys
          </Link>
        )}
        <Link to={paths.paid} reloadDocument className={LINK}>
          I have paid
        </Link>
        {user.role === 'admin' && (
          <Link to={paths.secondFactor} className={LINK}>
            Two-step sign-in
          </Link>
        )}
      </div>
    </section>
  )
}

function Use({ name, used, limit }: { name: string; used: number; limit: number }) {
  return (
    <div className="flex justify-between gap-2">
      <dt>{name}</dt>
      <dd className="text-ink">{`${figure(used)}/${figure(limit)}`}</dd>
    </div>
  )
}
