import { RENEW_DAYS } from '~/domain/administration/changes/bulk-rules'
import type { RenewFrom } from '~/domain/administration/changes/bulk-schemas'
import type { NextEnds } from '~/domain/administration/customers/desk.server'
import type { ManagedUser } from '~/domain/administration/types'
import { moneyText, priceOf } from '~/domain/payments/money'
import { days, shortDay } from '~/lib/time'
import { ActionForm, HiddenFields } from '../../ui/action-form'
import { Dialog } from '../../ui/dialog'
import { SubmitButton } from '../../ui/submit-button'
import { useActionForm } from '../../ui/use-action-form'
import { usePlatformZone } from '../../ui/use-root-data'
import { PaidFields, paidDefaults, type PaidValues } from '../payments/paid-fields'
import { usePlans } from '../use-plans'
import { outcomeOf, type Surprise } from '~/domain/administration/outcome'
import { DEFAULT_PLANS } from '~/domain/plans/catalogue'
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

/** On the desk and on the customer's page the ends of a renewal are known. */
type Renewed = ManagedUser & { nextEnds?: NextEnds }
type Props = { name: RenewDialogName; user: Renewed; formKey: string }

/** Renews an account, with or without a payment. */
export const RenewDialog = ({ name, user, formKey }: Props) => (
  <Dialog title={`Renew ${user.username}`} width="narrow">
    <RenewForm user={user} from={RENEW_DIALOGS[name]} formKey={formKey} />
  </Dialog>
)

type FormProps = { user: Renewed; from: RenewFrom; formKey: string }

function RenewForm({ user, from, formKey }: FormProps) {
  const timeZone = usePlatformZone()
  const [form, fields] = useActionForm<Required<PaidValues> & TickValues>('renew', {
    defaultValue: paidDefaults(user.plan !== null),
  })
  const plans = usePlans()
  const price = user.plan && priceOf(plans[user.plan], 'PKR')
  const empty =
    price === null
      ? ''
      : `Empty: ${moneyText({ amount: price, currency: 'PKR' })}, the plan’s price.`
  return (
    <ActionForm {...form} intent="renew" preventScrollReset className="space-y-4">
      <p className="text-sm text-soft">{renewalText(user, from, timeZone)}</p>
      <HiddenFields fields={{ id: user.id, from, formKey }} />
      <SurpriseTicks
        fields={fields}
        surprises={surprisesOf(user, from, timeZone)}
        instead={{ disabled: true }}
      />
      {user.plan !== null && <PaidFields fields={fields} empty={empty} />}
      <SubmitButton intent="renew" pending="Renewing..." className="w-full">
        Renew by {RENEW_DAYS} days
      </SubmitButton>
    </ActionForm>
  )
}

/** What is known of a renewal before it is pressed. */
function surprisesOf(user: Renewed, from: RenewFrom, timeZone: string): Surprise[] {
  const { role, isActive, plan, expiryDate } = user
  const at = new Date().toISOString()
  const isLater = expiryDate !== null && (from === 'end' || (from === 'later' && expiryDate > at))
  const start = isLater ? Date.parse(expiryDate) : Date.parse(at)
  const end = new Date(start + days(RENEW_DAYS)).toISOString()
  const before = { role, isActive, plan, expiryDate }
  const after = { ...before, expiryDate: end }
  const sale = { username: user.username, before, after, trashed: null, days: RENEW_DAYS }
  return outcomeOf({ ...sale, paid: null }, { plans: DEFAULT_PLANS, now: at, timeZone }).surprises
}

function renewalText(user: Renewed, from: RenewFrom, timeZone: string): string {
  const { expiryDate, daysLeft, nextEnds } = user
  const name = user.plan ?? 'No plan'
  if (from === 'today') {
    const until = nextEnds ? `, to ${shortDay(nextEnds.fromToday, timeZone)}` : ''
    return `${name}. ${RENEW_DAYS} days from now${until}.`
  }
  const isOver = expiryDate === null || daysLeft === null || daysLeft < 1
  if (expiryDate === null || (from === 'later' && isOver))
    return `${name}. ${RENEW_DAYS} days from now, because no days are left.`
  const end = new Date(Date.parse(expiryDate) + days(RENEW_DAYS)).toISOString()
  return `${name}. From ${shortDay(expiryDate, timeZone)}, the old end, to ${shortDay(end, timeZone)}.`
}
