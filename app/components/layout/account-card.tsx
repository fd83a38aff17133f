import type { UserRole, UserView } from '~/domain/accounts/types'
import { Badge, type BadgeTone } from '../ui/badge'

const ROLE_NAMES = { admin: 'Admin', editor: 'Editor', user: 'User' } as const satisfies Record<
  UserRole,
  string
>

/** Days left in the words of the badge; seven or fewer are a warning. */
function expiry(daysLeft: number | null): { text: string; tone: BadgeTone } {
  if (daysLeft === null) return { text: 'No expiry', tone: 'neutral' }
  if (daysLeft < 0) return { text: 'Expired', tone: 'bad' }
  return { text: `${daysLeft}d`, tone: daysLeft <= 7 ? 'warn' : 'neutral' }
}

/** Who is signed in, until when, and what he has used. */
export function AccountCard({ user }: { user: UserView }) {
  const { text, tone } = expiry(user.daysLeft)
  return (
    <section aria-label="Account" className="space-y-2 rounded-lg border border-line p-3 text-sm">
      <div className="flex items-center justify-between gap-2">
        <p className="truncate font-medium">{user.username}</p>
        <Badge tone={user.role === 'admin' ? 'accent' : 'neutral'}>{ROLE_NAMES[user.role]}</Badge>
      </div>
      <div className="flex items-center justify-between gap-2 text-soft">
        <span>{user.plan ?? 'No plan'}</span>
        <Badge tone={tone}>{text}</Badge>
      </div>
      <p className="tabular-nums text-soft">
        {user.videosGeneratedToday}/{user.videoLimit} today
      </p>
    </section>
  )
}
