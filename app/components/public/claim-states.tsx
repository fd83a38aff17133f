import type { OwnClaim } from '~/domain/payments/list.server'
import { moneyText } from '~/domain/payments/money'
import type { PaymentState } from '~/domain/payments/types'
import { shortDay } from '~/lib/time'
import { Badge, type BadgeTone } from '../ui/badge'
import { usePlatformZone } from '../ui/use-root-data'

const STATES = {
  claimed: { text: 'We will check it soon', tone: 'warn' },
  confirmed: { text: 'Confirmed', tone: 'good' },
  rejected: { text: 'Not accepted', tone: 'bad' },
  refunded: { text: 'Refunded', tone: 'neutral' },
} as const satisfies Record<PaymentState, { text: string; tone: BadgeTone }>

/** The payments that a customer has reported, newest first. */
export function ClaimStates({ claims }: { claims: readonly OwnClaim[] }) {
  const timeZone = usePlatformZone()
  if (claims.length === 0) return null
  return (
    <ul
      aria-label="Reported payments"
      className="divide-y divide-line rounded-lg border border-line px-4"
    >
      {claims.map(({ id, plan, receivedAt, state, reason, ...money }) => (
        <li key={id} className="py-3 text-sm">
          <p className="flex flex-wrap items-center justify-between gap-2">
            <span className="font-medium">
              {plan}, {moneyText(money)}
            </span>
            <Badge tone={STATES[state].tone}>{STATES[state].text}</Badge>
          </p>
          <p className="text-soft">Reported {shortDay(receivedAt, timeZone)}</p>
          {reason !== null && <p className="mt-1 break-words">{reason}</p>}
        </li>
      ))}
    </ul>
  )
}
