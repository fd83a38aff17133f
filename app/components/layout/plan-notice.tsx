import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import type { LayoutData } from '~/http/loaders/layout.server'
import { isNearlyUsed } from '~/domain/quota/rules'
import { figure } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { ClockTime } from '../ui/clock-time'
import { buttonClass } from '../ui/button'
import { useLiveQuota } from './live-quota'

/** From this many days before its end the plan's renewal is offered (specification §9). */
const SOON_DAYS = 7

type Props = Pick<LayoutData, 'user' | 'standing' | 'quota' | 'planEnd' | 'isBeginning'>

/**
 * Tells on every page why no video can be started, or that the plan ends soon or most of a day's videos are used, and
 * leads to the plans, before the user writes a hundred prompts. A renewal is not the first that a new account reads.
 */
export function PlanNotice({ user, standing, quota: stored, planEnd, isBeginning }: Props) {
  const quota = useLiveQuota() ?? stored
  const { noun, when } = planEnd
  if (standing === 'expired') {
    return (
      <Notice action={noun === 'trial' ? 'See the plans' : 'Renew plan'}>
        Your {noun} has expired. Your videos stay yours to watch, download and delete; accepted
        videos wait until you renew.
      </Notice>
    )
  }
  if (standing === 'no-plan')
    return <Notice action="See the plans">No active plan. Choose one to generate videos.</Notice>
  const { daysLeft } = user
  const isSoon = daysLeft !== null && daysLeft <= SOON_DAYS && !isBeginning
  return (
    <>
      {isSoon && when !== null && (
        <Line action={noun === 'trial' ? 'See the plans' : 'Renew or upgrade'}>
          Your {noun} ends {when}.
        </Line>
      )}
      <QuotaNotice quota={quota} isCustomer={user.role === 'user'} />
    </>
  )
}

function QuotaNotice({ quota, isCustomer }: Pick<Props, 'quota'> & { isCustomer: boolean }) {
  const { limit, used, remaining, resetsAt } = quota
  if (remaining === 0) {
    return (
      <Notice action="Upgrade plan">
        Today’s videos are used up. The next ones come at <ClockTime instant={resetsAt} />.
      </Notice>
    )
  }
  if (!isCustomer || !isNearlyUsed(limit, used)) return null
  return (
    <Line action="Upgrade plan">
      {figure(used)} of today’s {figure(limit)} videos are used.
    </Line>
  )
}

const Line = ({ action, children }: { action: string; children: ReactNode }) => (
  <p className="mb-4 text-sm text-soft">
    {children}{' '}
    <PlansLink className="font-medium text-ink underline underline-offset-4">{action}</PlansLink>
  </p>
)

function Notice({ action, children }: { action: string; children: ReactNode }) {
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border border-warn bg-surface py-2 pl-4 pr-2 text-sm">
      <p className="min-w-0 flex-1 basis-60">{children}</p>
      <PlansLink className={buttonClass('plain')}>{action}</PlansLink>
    </div>
  )
}

function PlansLink({ className, children }: { className: string; children: ReactNode }) {
  return (
    <Link to={paths.pricing} reloadDocument className={className}>
      {children}
    </Link>
  )
}
