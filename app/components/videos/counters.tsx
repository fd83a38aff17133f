import type { VideoCounts } from '~/domain/videos/types'
import { StatCards } from '../ui/stat-cards'

/** The four counters above a user's videos. */
export function Counters({ counts }: { counts: VideoCounts }) {
  const stats = [
    { label: 'Total Videos', value: counts.total },
    { label: 'Completed', value: counts.completed },
    { label: 'In Progress', value: counts.inProgress },
    { label: 'Failed', value: counts.failed },
  ]
  return <StatCards label="Videos" stats={stats} />
}
