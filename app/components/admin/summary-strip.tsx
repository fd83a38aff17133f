import { Link } from '@remix-run/react'
import type { Summary } from '~/domain/administration/overview/summary.server'
import { figure } from '~/lib/figures'
import { paths } from '~/lib/paths'
import type { StackedBars } from '../charts/types'
import { ADMIN_ROWS } from '../layout/nav-rows'
import { OutcomeChart } from '../overview/overview-cards'
import { Card } from '../ui/card'
import { StatCards, type Stat } from '../ui/stat-cards'

type Props = { summary: Summary; drawing: StackedBars }

/** The state of the platform, above an administrator's own videos. */
export function SummaryStrip({ summary, drawing }: Props) {
  const { users, onlineUsers, generatingUsers, workers, pool } = summary
  return (
    <section aria-label="Platform" className="space-y-2">
      <StatCards
        label="Platform"
        stats={[
          { label: 'Users', value: users },
          { label: 'Online', value: onlineUsers },
          { label: 'Generating', value: generatingUsers },
          { label: 'Queue', ...queueOf(summary) },
          { label: 'Workers', value: workers === 0 ? 'None' : workers },
          { label: 'Pool tokens', value: `${figure(pool.usable)}/${figure(pool.total)}` },
        ]}
      />
      <Card title="The last 48 hours">
        <OutcomeChart
          drawing={drawing}
          unit="hour"
          more={{ to: paths.admin.overview, label: 'All figures' }}
        />
      </Card>
      <nav aria-label="Administration pages" className="flex flex-wrap gap-x-4 text-sm">
        {ADMIN_ROWS.map(({ to, label }) => (
          <Link key={to} to={to} className="py-2 underline underline-offset-4">
            {label}
          </Link>
        ))}
      </nav>
    </section>
  )
}

/** How long the next video has waited. Videos on hold wait as well. */
function queueOf({ queueSeconds, held }: Summary): Omit<Stat, 'label'> {
  const onHold = `${figure(held)} on hold`
  if (queueSeconds === null) return { value: held > 0 ? onHold : 'Empty' }
  return { value: `${figure(queueSeconds)} s`, ...(held > 0 && { hint: onHold }) }
}
