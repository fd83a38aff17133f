import type { UnpaidRenewal } from '~/domain/administration/changes/late-payment.server'
import { moneyText, priceFor } from '~/domain/payments/money'
import { shortDay } from '~/lib/time'
import { ActionForm, HiddenFields } from '../../ui/action-form'
import { Dialog, DialogButtons } from '../../ui/dialog'
import { DialogLink } from '../../ui/dialog-link'
import { SubmitButton } from '../../ui/submit-button'
import { useActionForm } from '../../ui/use-action-form'
import { usePlatformZone } from '../../ui/use-root-data'
import { usePlans } from '../use-plans'
import { paidDefaults, PaymentFields, type PaidValues } from './paid-fields'

/** The dialog that records the payment of an earlier renewal. */
export const LATE_PAYMENT = 'record-payment'

type Props = { renewal: UnpaidRenewal }

/** Opens the dialog for a renewal without a payment. */
export function LatePaymentLink({ renewal: { id, username, to } }: Props) {
  const timeZone = usePlatformZone()
  return (
    <DialogLink
      dialog={LATE_PAYMENT}
      on={id}
      aria-label={`Record the payment of ${username} for the renewal until ${shortDay(to, timeZone)}`}
    >
      Record payment
    </DialogLink>
  )
}

/** Records the payment of an earlier renewal. */
export function LatePaymentDialog({ renewal }: Props) {
  const { id, username, plan, at, by, to, days } = renewal
  const timeZone = usePlatformZone()
  const plans = usePlans()
  const [form, fields] = useActionForm<Required<PaidValues>>(LATE_PAYMENT, {
    defaultValue: paidDefaults(true),
  })
  const price = plan && priceFor({ plans, plan, days, instead: null }, 'PKR')
  const empty =
    price === null
      ? ''
      : `Empty: ${moneyText({ amount: price, currency: 'PKR' })}, the plan’s price for ${days} days.`
  return (
    <Dialog title={`Record the payment of ${username}`} width="narrow">
      <ActionForm {...form} intent={LATE_PAYMENT} preventScrollReset className="space-y-4">
        <p className="text-sm text-soft">
          {plan ?? 'No plan'}. Renewed on {shortDay(at, timeZone)} by {by}, until{' '}
          {shortDay(to, timeZone)}. The end stays as it is.
        </p>
        <HiddenFields fields={{ renewal: id }} />
        <PaymentFields fields={fields} empty={empty} />
        <DialogButtons>
          <SubmitButton intent={LATE_PAYMENT} pending="Recording...">
            Record payment
          </SubmitButton>
        </DialogButtons>
      </ActionForm>
    </Dialog>
  )
}
