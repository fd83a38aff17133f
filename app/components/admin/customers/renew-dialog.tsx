import { RENEW_DAYS } from '~/domain/administration/changes/bulk-rules'
import type { RenewFrom } from '~/domain/administration/changes/bulk-schemas'
import type { ForeseenRenewal } from '~/domain/administration/changes/foresee-renewal.server'
import type { ManagedUser } from '~/domain/administration/types'
import { moneyText, priceOf } from '~/domain/payments/money'
import { shortDay } from '~/lib/time'
import { ActionForm, HiddenFields } from '../../ui/action-form'
import { Dialog } from '../../ui/dialog'
import { SubmitButton } from '../../ui/submit-button'
import { useActionForm } from '../../ui/use-action-form'
import { usePlatformZone } from '../../ui/use-root-data'
import { PaidFields, paidDefaults, useLastPaid, type PaidValues } from '../payments/paid-fields'
import { usePlans } from '../use-plans'
import { SurpriseTicks, type TickValues } from '../payments/surprise-ticks'

/** The dialogs that renew an account, by what the 30 days count from. */
const RENEW_DIALOGS = {
  renew: 'later',
  'renew-end': 'end',
  'renew-today': 'today',
} as const satisfies Record<string, RenewFrom>
export type RenewDialogName = keyof typeof RENEW_DIALOGS

export const isRenewDialog = (name: string | null): name is RenewDialogName =>
  name !== null && Object.hasOwn(RENEW_DIALOGS, name)

/** Returns from what the dialog of this name renews. Null: it renews nobody. */
export const renewFromOf = (name: string | null): RenewFrom | null =>
  isRenewDialog(name) ? RENEW_DIALOGS[name] : null

type Props = {
  name: RenewDialogName
  user: ManagedUser
  /** What the renewal will give. Null: the account cannot be renewed. */
  renewal: ForeseenRenewal | null
  formKey: string
}

/** Renews an account, with or without a payment. */
export const RenewDialog = ({ name, user, renewal, formKey }: Props) => (
  <Dialog title={`Renew ${user.username}`} width="narrow">
    {renewal ? (
      <RenewForm user={user} from={RENEW_DIALOGS[name]} renewal={renewal} formKey={formKey} />
    ) : (
      <p className="text-sm text-soft">
        This account has no end, or is an administrator’s: there is nothing to renew.
      </p>
    )}
  </Dialog>
)

type FormProps = { user: ManagedUser; from: RenewFrom; renewal: ForeseenRenewal; formKey: string }

function RenewForm({ user, from, renewal, formKey }: FormProps) {
  const timeZone = usePlatformZone()
  const [form, fields] = useActionForm<Required<PaidValues> & TickValues>('renew', {
    defaultValue: paidDefaults(useLastPaid()),
  })
  const plans = usePlans()
  const price = user.plan && priceOf(plans[user.plan], 'PKR')
  const empty =
    price === null
      ? ''
      : `Empty: ${moneyText({ amount: price, currency: 'PKR' })}, the plan’s price.`
  return (
    <ActionForm {...form} intent="renew" preventScrollReset className="space-y-4">
      <p className="text-sm text-soft">{renewalText(user, { from, renewal, timeZone })}</p>
      <HiddenFields fields={{ id: user.id, from, formKey }} />
      <SurpriseTicks fields={fields} surprises={renewal.surprises} instead={{ disabled: true }} />
      {user.plan !== null && <PaidFields fields={fields} empty={empty} />}
      <SubmitButton intent="renew" pending="Renewing..." className="w-full">
        Renew by {RENEW_DAYS} days
      </SubmitButton>
    </ActionForm>
  )
}

type Told = Pick<FormProps, 'from' | 'renewal'> & { timeZone: string }

function renewalText(
  { plan, expiryDate, daysLeft }: ManagedUser,
  { from, renewal, timeZone }: Told,
): string {
  const name = plan ?? 'No plan'
  const until = shortDay(renewal.until, timeZone)
  if (from === 'today') return `${name}. ${RENEW_DAYS} days from now, to ${until}.`
  const isOver = daysLeft === null || daysLeft < 1
  if (expiryDate === null || (from === 'later' && isOver))
    return `${name}. ${RENEW_DAYS} days from now, to ${until}, because no days are left.`
  return `${name}. From ${shortDay(expiryDate, timeZone)}, the old end, to ${until}.`
}
