import type { LateSale } from '~/domain/administration/changes/late-payment.server'
import { ACT_NAMES, type SoldAct } from '~/domain/administration/changes/sold-acts'
import { moneyText } from '~/domain/payments/money'
import { plural } from '~/lib/figures'
import { shortDay } from '~/lib/time'
import { ActionForm, HiddenFields } from '../../ui/action-form'
import { Dialog, DialogButtons } from '../../ui/dialog'
import { DialogLink } from '../../ui/dialog-link'
import { SubmitButton } from '../../ui/submit-button'
import { useActionForm } from '../../ui/use-action-form'
import { usePlatformZone } from '../../ui/use-root-data'
import { paidDefaults, PaymentFields, useLastPaid, type PaidValues } from './paid-fields'
import { SurpriseTicks, type TickValues } from './surprise-ticks'

/** The dialog that records the payment of what a customer got earlier. */
export const LATE_PAYMENT = 'record-payment'

/** Opens the dialog for an act without a payment. */
export function LatePaymentLink({ act: { id, username, kind, at } }: { act: SoldAct }) {
  const timeZone = usePlatformZone()
  return (
    <DialogLink
      dialog={LATE_PAYMENT}
      on={id}
      aria-label={`Record the payment of ${username}: ${ACT_NAMES[kind].toLowerCase()} on ${shortDay(at, timeZone)}`}
    >
      Record payment
    </DialogLink>
  )
}

/** Records the payment of what a customer got earlier. */
export function LatePaymentDialog({ act }: { act: LateSale }) {
  const { id, username, plan, kind, at, by, to, days, price, surprises } = act
  const timeZone = usePlatformZone()
  const last = useLastPaid()
  const [form, fields] = useActionForm<Required<PaidValues> & TickValues>(LATE_PAYMENT, {
    defaultValue: { ...paidDefaults(last), paidMethod: last?.method ?? 'bank' },
  })
  const what = days === null ? 'for what it gave' : `for ${plural(days, 'day')}`
  const empty = price === null ? '' : `Empty: ${moneyText(price)}, the plan’s price ${what}.`
  const until = to === null ? 'without an end' : `until ${shortDay(to, timeZone)}`
  return (
    <Dialog title={`Record the payment of ${username}`} width="narrow">
      <ActionForm {...form} intent={LATE_PAYMENT} preventScrollReset className="space-y-4">
        <p className="text-sm text-soft">
          {plan ?? 'No plan'}. {ACT_NAMES[kind]} on {shortDay(at, timeZone)} by {by}, {until}. The
          account stays as it is.
        </p>
        <HiddenFields fields={{ renewal: id }} />
        <PaymentFields fields={fields} empty={empty} />
        <SurpriseTicks fields={fields} surprises={surprises} />
        <DialogButtons>
          <SubmitButton intent={LATE_PAYMENT} pending="Recording...">
            Record payment
          </SubmitButton>
        </DialogButtons>
      </ActionForm>
    </Dialog>
  )
}
