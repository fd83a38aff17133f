import { Link } from '@remix-run/react'
import { usedPercent } from '~/domain/quota/rules'
import type { QuotaView } from '~/domain/quota/types'
import { paths } from '~/lib/paths'
import { ClockTime } from '../create/clock-time'
import { Card } from '../ui/card'
import { Progress } from '../ui/progress'

/** What is left of today, and when it comes back. */
export function QuotaCard({ quota }: { quota: QuotaView }) {
  const { used, limit, remaining, inProgress, resetsAt, timeZone } = quota
  return (
    <Card title="Daily Quota">
      <div className="space-y-2 text-sm">
        <p className="tabular-nums">
          {used} of {limit} videos used today
        </p>
        <Progress label="Quota used today" percent={usedPercent(limit, used)} />
        <p className="tabular-nums text-soft">{remaining} videos remaining today</p>
        <p className="tabular-nums text-soft">
          {inProgress > 0 && `${inProgress} of those used are in progress. `}
          Resets at <ClockTime instant={resetsAt} timeZone={timeZone} />.{' '}
          <Link to={paths.usage} className="underline underline-offset-4">
            View usage
          </Link>
        </p>
      </div>
    </Card>
  )
}
