import { Link, useLocation } from '@remix-run/react'
import type { UserView } from '~/domain/accounts/types'
import type { UserRole } from '~/domain/context'
import { dialogAddress } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { figure } from '~/lib/figures'
import { Badge, type BadgeTone } from '../ui/badge'
import { CHANGE_PASSWORD } from './change-password-address'
import { useLiveQuota } from './live-quota'
import { Icon } from '../ui/icon'

const ROLE_NAMES = { admin: 'Admin', editor: 'Editor', user: 'User' } as const satisfies Record<
  UserRole,
  string
>

type Expiry = { before: string; text: string; tone: BadgeTone }

/**
 * Returns the badge of the remaining days and the text before it. Seven days or fewer are a
 * warning.
 */
function expiry(daysLeft: number | null): Expiry {
  if (daysLeft === null) return { before: '', text: 'No expiry', tone: 'neutral' }
  if (daysLeft < 0) return { before: '', text: 'Expired', tone: 'bad' }
  const before = daysLeft === 0 ? 'Ends today:' : 'Ends in'
  return { before, text: `${daysLeft}d`, tone: daysLeft <= 7 ? 'warn' : 'neutral' }
}

const LINK = 'inline-flex min-h-11 items-center gap-1.5 rounded px-1 text-soft hover:text-ink'

type Props = { user: UserView; todayLimit: number; monthLimit: number }

/** The signed-in user, the expiry and the usage (decision Q-4: two true figures). */
export function AccountCard({ user, todayLimit, monthLimit }: Props) {
  const { before, text, tone } = expiry(user.daysLeft)
  const { search } = useLocation()
  const live = useLiveQuota()
  const today = live?.used ?? user.videosGeneratedToday
  const month = live?.usedThisMonth ?? user.videosGeneratedThisMonth
  return (
    <section aria-label="Account Info" className="rounded-lg border border-line p-3 pb-1 text-sm">
      <div className="flex items-center justify-between gap-2">
        <p className="truncate font-medium">{user.username}</p>
        <Badge tone={user.role === 'admin' ? 'accent' : 'neutral'}>{ROLE_NAMES[user.role]}</Badge>
      </div>
      <div className="mt-1.5 flex items-center justify-between gap-2 text-soft">
        <span>{user.plan ?? 'No plan'}</span>
        <span className="whitespace-nowrap tiny:whitespace-normal">
          {before} <Badge tone={tone}>{text}</Badge>
        </span>
      </div>
      <dl className="mt-2.5 space-y-0.5 border-t border-line pt-2.5 tabular-nums text-soft">
        <Use name="Today" used={today} limit={live?.limit ?? todayLimit} />
        <Use name="This month" used={month} limit={monthLimit} />
      </dl>
      <div className="-mx-1 mt-1 flex flex-wrap justify-between">
        <Link to={dialogAddress(search, CHANGE_PASSWORD)} preventScrollReset className={LINK}>
          <Icon name="key-round" className="size-4" />
          Change Password
        </Link>
        <Link to={paths.usage} className={LINK}>
          Usage
        </Link>
        <Link to={paths.sessions} className={LINK}>
          <Icon name="monitor-smartphone" className="size-4" />
          Where you are signed in
        </Link>
        {user.role === 'admin' && (
          <Link to={paths.secondFactor} className={LINK}>
            <Icon name="shield-check" className="size-4" />
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
