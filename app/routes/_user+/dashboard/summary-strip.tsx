import type { Summary } from '~/domain/administration/overview/summary.server'
import { figure } from '~/lib/figures'
import { StatCards, type Stat } from '~/components/ui/stat-cards'

/** The state of the platform, above an administrator's own videos. */
export function SummaryStrip({ summary }: { summary: Summary }) {
  const { users, onlineUsers, generatingUsers, workers, pool } = summary
  return (
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
  )
}

/** How long the next video has waited. Videos on hold wait as well. */
function queueOf({ queueSeconds, held }: Summary): Omit<Stat, 'label'> {
  const onHold = `${figure(held)} on hold`
  if (queueSeconds === null) return { value: held > 0 ? onHold : 'Empty' }
  return { value: `${figure(queueSeconds)} s`, ...(held > 0 && { hint: onHold }) }
}
