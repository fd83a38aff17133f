import type { Units } from '~/domain/administration/overview/overview.server'
import type { Summary } from '~/domain/administration/overview/summary.server'
import type { PoolSummary } from '~/domain/tokens/types'
import { causeOf } from '~/domain/videos/holds'
import { figure, plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { Progress } from '~/components/ui/progress'
import { StatCards } from '~/components/ui/stat-cards'

type Props = { summary: Summary; pool: PoolSummary }

/** What is the case now, with the tokens by state. */
export function NowCards({ summary, pool }: Props) {
  const { users, onlineUsers, generatingUsers, held, workers } = summary
  return (
    <StatCards
      label="Now"
      stats={[
        { label: 'Users', value: users, to: paths.admin.users },
        { label: 'Online', value: onlineUsers },
        { label: 'Generating', value: generatingUsers, to: paths.admin.videosIn('pending') },
        { label: 'On hold', value: held, to: paths.admin.system },
        { label: 'Workers', value: workers === 0 ? 'None' : workers, to: paths.admin.system },
        { label: 'Tokens ok', value: pool.ok, to: paths.admin.tokensIn('ok') },
        { label: 'Tokens paused', value: pool.cooling, to: paths.admin.tokensIn('cooling') },
        ...(pool.spent > 0
          ? [{ label: 'No credits', value: pool.spent, to: paths.admin.tokensIn('spent') }]
          : []),
        {
          label: 'Tokens dead',
          value: pool.dead,
          to: paths.admin.tokensIn('dead'),
          ...(pool.diedToday > 0 && { hint: `${figure(pool.diedToday)} in 24 hours` }),
        },
      ]}
    />
  )
}

/** Why videos of the line are on hold, the most frequent reason first. */
export function HeldReasons({ held }: { held: readonly { reason: string; count: number }[] }) {
  if (held.length === 0) return <p className="mt-2 text-sm text-soft">Nothing is on hold now.</p>
  return (
    <ul className="mt-2 space-y-1 text-sm tabular-nums">
      {held.map(({ reason, count }) => (
        <li key={reason}>
          {plural(count, 'video')} on hold because {causeOf(reason)}.
        </li>
      ))}
    </ul>
  )
}

/** Units that customers used, beside those that their plans give. */
export function UnitCards({ units }: { units: Units }) {
  const { usedToday, usedThisMonth, soldPerDay, daysOfMonth } = units
  const soldPerMonth = soldPerDay * daysOfMonth
  return (
    <dl className="space-y-4 text-sm tabular-nums">
      <Share name="Today" used={usedToday} sold={soldPerDay} />
      <Share name="This month" used={usedThisMonth} sold={soldPerMonth} />
    </dl>
  )
}

function Share({ name, used, sold }: { name: string; used: number; sold: number }) {
  const percent = sold === 0 ? 0 : Math.round(100 * (used / sold))
  return (
    <div>
      <dt className="text-soft">{name}</dt>
      <dd>
        <span className="text-xl font-semibold">{figure(used)}</span> of {figure(sold)} sold
        {sold > 0 && ` (${figure(percent)} %)`}
        <Progress label={`${name}: units used of those sold`} percent={Math.min(100, percent)} />
      </dd>
    </div>
  )
}
