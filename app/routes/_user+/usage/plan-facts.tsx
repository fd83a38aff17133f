import { Link } from '@remix-run/react'
import { paceText } from '~/domain/batches/rules'
import { countsAs } from '~/domain/quota/rules'
import type { PlanName } from '~/domain/plans/types'
import { paths } from '~/lib/paths'
import { figure } from '~/lib/figures'
import { dayTimeAndZone } from '~/lib/time'
import { Card } from '~/components/ui/card'
import { textLinkClass } from '~/components/ui/text-link'
import { usePlatformZone } from '~/components/ui/use-root-data'

type Facts = {
  plan: PlanName | null
  videosPerDay: number
  clipUnits: number
  speedLimit: number
  delaySeconds: number
  expiryDate: string | null
  isExpired: boolean
  hasApi: boolean
}

/**
 * The facts of the account's plan: the numbers that the product enforces, not those of the price
 * list.
 */
export function PlanFacts({ facts }: { facts: Facts }) {
  const { plan, videosPerDay, clipUnits, expiryDate, isExpired, hasApi } = facts
  const timeZone = usePlatformZone()
  const lines = [
    ['Plan', plan ?? 'No plan'],
    ['Videos a day', [figure(videosPerDay), countsAs(clipUnits)].filter(Boolean).join(', ')],
    ['Batch speed', paceText(facts)],
    [
      isExpired ? 'Expired on' : 'Valid until',
      expiryDate ? dayTimeAndZone(expiryDate, timeZone) : 'No expiry',
    ],
  ] as const
  return (
    <Card title="Your plan">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 tiny:grid-cols-1 gap-y-1.5 text-sm">
        {lines.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-soft">{name}</dt>
            <dd className={`tabular-nums ${isExpired && name === 'Expired on' ? 'text-bad' : ''}`}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 flex flex-wrap gap-x-6 text-sm">
        <Link to={paths.pricing} reloadDocument className={textLinkClass}>
          See all plans
        </Link>
        <Link to={paths.redeem} reloadDocument className={textLinkClass}>
          Redeem a code
        </Link>
        {hasApi && (
          <Link to={paths.apiKeys} className={textLinkClass}>
            API keys
          </Link>
        )}
      </p>
    </Card>
  )
}
