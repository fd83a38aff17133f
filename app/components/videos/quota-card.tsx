import { Link } from '@remix-run/react'
import { usedPercent } from '~/domain/quota/rules'
import type { QuotaView } from '~/domain/quota/types'
import { paths } from '~/lib/paths'
import { figure } from '~/lib/figures'
import { ClockTime } from '../ui/clock-time'
import { Card } from '../ui/card'
import { Progress } from '../ui/progress'

/** The rest of today's quota, and when it resets. */
export function QuotaCard({ quota }: { quota: QuotaView }) {
  const { used, limit, remaining, inProgress, resetsAt } = quota
  return (
    <Card title="Daily Quota">
      <div className="space-y-2 text-sm">
        <p className="tabular-nums">
          {figure(used)} of {figure(limit)} videos used today
        </p>
        <Progress label="Quota used today" percent={usedPercent(limit, used)} />
        <p className="tabular-nums text-soft">{figure(remaining)} videos remaining today</p>
        <p className="tabular-nums text-soft">
          {inProgress > 0 &&
            `${figure(inProgress)} of those used ${inProgress === 1 ? 'is' : 'are'} in progress. `}
          Resets at <ClockTime instant={resetsAt} />.{' '}
          <Link to={paths.usage} className="underline underline-offset-4">
            View usage
          </Link>
        </p>
      </div>
    </Card>
  )
}
