import { Link } from '@remix-run/react'
import type { AskedClaim } from '~/domain/administration/types'
import { askedText } from '~/domain/payments/money'
import { paths } from '~/lib/paths'
import { buttonClass } from '../../ui/button'
import { Card } from '../../ui/card'
import { DayTime } from '../../ui/day-time'

/** The payments that helpers ask an administrator to confirm. */
export function AskedClaims({ claims }: { claims: readonly AskedClaim[] }) {
  if (claims.length === 0) return null
  return (
    <Card title="Payments to decide">
      <ul className="divide-y divide-line">
        {claims.map(({ id, askedBy, receivedAt, ...claim }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3 py-3 text-sm">
            <p className="min-w-0 break-words">
              {askedBy}: {askedText(claim)}{' '}
              <span className="text-soft">
                <DayTime instant={receivedAt} />
              </span>
            </p>
            <Link
              to={`${paths.admin.payments}?state=claimed&dialog=confirm&on=${id}`}
              className={buttonClass('plain')}
              aria-label={`Open the payment of ${claim.username}`}
            >
              Open
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
