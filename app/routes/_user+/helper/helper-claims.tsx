import type { HelperClaim } from '~/domain/administration/types'
import { moneyText } from '~/domain/payments/money'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { Card } from '~/components/ui/card'
import { DayTime } from '~/components/ui/day-time'
import { useActionForm } from '~/components/ui/use-action-form'
import { UntypedNote } from '~/components/admin/payments/payment-table'
import { SurpriseTicks, type TickValues } from '~/components/admin/payments/surprise-ticks'
import { SubmitButton } from '~/components/ui/submit-button'

/** The payments that customers report, for a helper who may confirm some of them. */
export function HelperClaims({ claims }: { claims: readonly HelperClaim[] }) {
  if (claims.length === 0) return null
  return (
    <Card title="Payments to confirm">
      <ul className="divide-y divide-line">
        {claims.map((claim) => (
          <li
            key={claim.id}
            className="flex flex-wrap items-center justify-between gap-3 py-3 text-sm"
          >
            <div className="min-w-0">
              <p className="break-words font-medium">
                {claim.username}: {claim.plan},{' '}
                {claim.amount === 0 ? 'without a payment' : moneyText(claim)}
              </p>
              {claim.isUntyped && <UntypedNote />}
              <p className="break-words text-soft">
                <DayTime instant={claim.receivedAt} /> · {claim.reference ?? 'no reference'}
              </p>
            </div>
            {claim.mayConfirm ? (
              <ConfirmForm claim={claim} />
            ) : claim.isAsked ? (
              <p className="font-medium">Waits for the administrator</p>
            ) : (
              <ActionForm intent="ask-payment" preventScrollReset>
                <HiddenFields fields={{ id: claim.id }} />
                <SubmitButton
                  intent="ask-payment"
                  look="plain"
                  aria-label={`Ask the administrator to confirm the payment of ${claim.username}`}
                >
                  Ask the administrator
                </SubmitButton>
              </ActionForm>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Confirms a claim. What surprises is said, with its ticks, when it is pressed, and nothing is done yet. */
function ConfirmForm({ claim: { id, username } }: { claim: HelperClaim }) {
  const [form, fields] = useActionForm<{ id: string } & TickValues>('confirm-payment')
  const isThis = fields.id.initialValue === id
  return (
    <ActionForm {...form} id={`confirm-${id}`} intent="confirm-payment" preventScrollReset>
      <HiddenFields fields={{ id }} />
      {isThis && <SurpriseTicks fields={fields} surprises={[]} instead={{ disabled: true }} />}
      <SubmitButton intent="confirm-payment" aria-label={`Confirm the payment of ${username}`}>
        Confirm
      </SubmitButton>
    </ActionForm>
  )
}
