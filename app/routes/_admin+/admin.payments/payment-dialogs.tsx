import { getInputProps } from '@conform-to/react'
import { Link } from '@remix-run/react'
import type { AboutPayment } from './route.server'
import { isCurrency } from '~/lib/currencies'
import { amountText, moneyText, priceFor, priceOf } from '~/domain/payments/money'
import type { RecentRenewal } from '~/domain/administration/confirm-claim.server'
import type { Repeat } from '~/domain/payments/repeats.server'
import { REFUND_TERMS } from '~/domain/plans/refunds'
import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { dayTimeAndZone, shortDay } from '~/lib/time'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { Dialog, DialogButtons } from '~/components/ui/dialog'
import { Field, SelectField, TextAreaField } from '~/components/ui/field'
import { CheckboxField } from '~/components/ui/field-frame'
import { SubmitButton } from '~/components/ui/submit-button'
import { textLinkClass } from '~/components/ui/text-link'
import { useActionForm } from '~/components/ui/use-action-form'
import { usePlatformZone } from '~/components/ui/use-root-data'
import { methodName } from '~/components/admin/payments/payment-table'
import { usePlans } from '~/components/admin/use-plans'
import { SurpriseTicks, type TickValues } from '~/components/admin/payments/surprise-ticks'

type Props = { dialog: string | null; about: AboutPayment | null }

/** The dialog about one payment that the address asks for. */
export function PaymentDialog({ dialog, about }: Props) {
  if (!about) return null
  if (dialog === 'confirm') return <ConfirmPayment about={about} />
  if (dialog === 'reject') return <RejectPayment about={about} />
  if (dialog === 'refund') return <RefundPayment about={about} />
  return null
}

type About = { about: AboutPayment }

function ConfirmPayment({ about }: About) {
  const { payment, account, repeats, renewal, reward } = about
  const [form, fields] = useActionForm<{ how: string; isRepeatSeen: boolean } & TickValues>(
    'confirm-payment',
  )
  const ways = useWays(about)
  const several = about.ways.length > 1
  const surprises = about.ways.flatMap(({ how, outcome }) =>
    outcome.surprises.map(({ name, text }) => ({
      name,
      text: several && (name === 'plan' || name === 'expired') ? `${WAYS[how]}: ${text}` : text,
    })),
  )
  return (
    <Dialog title={`Confirm the payment of ${payment.username}`}>
      <Facts about={about} />
      <ActionForm {...form} intent="confirm-payment" preventScrollReset className="mt-4 space-y-4">
        <HiddenFields fields={{ id: payment.id }} />
        {account ? (
          <SelectField field={fields.how} label="It pays for" options={ways} />
        ) : (
          <p className="text-sm">
            No account has this number. It is created with {payment.plan} and 30 days.
          </p>
        )}
        {renewal && <Renewal renewal={renewal} />}
        {reward !== null && <p className="break-words text-sm">{reward}</p>}
        <SurpriseTicks
          fields={fields}
          surprises={surprises}
          instead={{ disabled: true, trash: true }}
        />
        {repeats.length > 0 && (
          <div className="rounded border border-warn px-3 py-2 text-sm">
            <Repeats repeats={repeats} />
            <CheckboxField
              {...getInputProps(fields.isRepeatSeen, { type: 'checkbox' })}
              label="Record it all the same"
            />
          </div>
        )}
        <DialogButtons>
          <SubmitButton intent="confirm-payment" pending="Confirming...">
            {account ? 'Confirm' : 'Confirm and create'}
          </SubmitButton>
        </DialogButtons>
      </ActionForm>
    </Dialog>
  )
}

const WAYS = { renew: '30 more days', upgrade: 'The same end' } as const

/** What the payment can be for, with the end that follows. */
function useWays({ payment, account, ways }: AboutPayment): { value: string; label: string }[] {
  const timeZone = usePlatformZone()
  const plans = usePlans()
  if (!account) return []
  const endText = (end: string | null) =>
    end === null ? 'no end' : `until ${shortDay(end, timeZone)}`
  const renew = {
    value: 'renew',
    label: `${payment.plan}, ${WAYS.renew}: ${endText(account.renewedEnd)}`,
  }
  const { plan, daysLeft, expiryDate } = account
  const isBetter = ways.some(({ how }) => how === 'upgrade')
  if (!isBetter || plan === null || daysLeft === null) return [renew]
  const { currency } = payment
  const price = isCurrency(currency)
    ? priceFor({ plans, plan: payment.plan, days: daysLeft, instead: plan }, currency)
    : null
  const cost = price === null ? '' : `, ${moneyText({ amount: price, currency })}`
  const label = `${payment.plan} instead of ${plan}, ${endText(expiryDate)} as now (${plural(daysLeft, 'day')}${cost})`
  return [{ value: 'upgrade', label }, renew]
}

function Renewal({ renewal: { changeId, at, by, until } }: { renewal: RecentRenewal }) {
  const timeZone = usePlatformZone()
  const end = until === null ? '' : `, until ${shortDay(until, timeZone)}`
  return (
    <p className="rounded border border-warn px-3 py-2 text-sm text-warn">
      Renewed on {shortDay(at, timeZone)} by {by}
      {end}. If this payment is for it,{' '}
      <Link to={paths.admin.change(changeId)} className="underline">
        undo that renewal
      </Link>{' '}
      first: confirming adds 30 more days.
    </p>
  )
}

function Repeats({ repeats }: { repeats: readonly Repeat[] }) {
  const timeZone = usePlatformZone()
  return (
    <ul className="text-warn">
      {repeats.map(({ id, username, receivedAt, state }) => (
        <li key={id}>
          Already used by {username} on {shortDay(receivedAt, timeZone)} ({state})
        </li>
      ))}
    </ul>
  )
}

function RejectPayment({ about: { payment } }: About) {
  const [form, { reason }] = useActionForm<{ reason: string }>('reject-payment')
  return (
    <Dialog title={`Reject the payment of ${payment.username}`}>
      <ActionForm {...form} intent="reject-payment" preventScrollReset className="space-y-4">
        <HiddenFields fields={{ id: payment.id }} />
        <TextAreaField field={reason} label="Reason" hint="The customer reads it." required />
        <DialogButtons>
          <SubmitButton intent="reject-payment" look="danger">
            Reject
          </SubmitButton>
        </DialogButtons>
      </ActionForm>
    </Dialog>
  )
}

function RefundPayment({ about }: About) {
  const { payment, refund } = about
  const timeZone = usePlatformZone()
  const { currency, plan } = payment
  const [form, fields] = useActionForm<{ amount: string; reason: string }>('refund-payment', {
    defaultValue: {
      amount: refund.amount > 0 ? amountText({ amount: refund.amount, currency }) : '',
    },
  })
  const until = refund.until === null ? '' : `, until ${dayTimeAndZone(refund.until, timeZone)}`
  const due = moneyText({ amount: refund.amount, currency })
  return (
    <Dialog title={`Refund the payment of ${payment.username}`}>
      <Facts about={about} />
      <p className="mt-4 text-sm text-soft">
        {plan}: {REFUND_TERMS[plan].term}
        {until}. By the policy {refund.amount > 0 ? due : 'nothing'} is returned. The account stays
        as it is: undo the change to take its days back.
        {payment.method === 'code' && ' The code stays used.'}
      </p>
      <ActionForm {...form} intent="refund-payment" preventScrollReset className="mt-4 space-y-4">
        <HiddenFields fields={{ id: payment.id }} />
        <Field field={fields.amount} label={`Amount in ${currency}`} inputMode="decimal" required />
        <TextAreaField field={fields.reason} label="Reason" required />
        <DialogButtons>
          <SubmitButton intent="refund-payment" look="danger">
            Record the refund
          </SubmitButton>
        </DialogButtons>
      </ActionForm>
    </Dialog>
  )
}

/** What is known about the payment. */
function Facts({ about: { payment, account } }: About) {
  const timeZone = usePlatformZone()
  const plans = usePlans()
  const { plan, currency, method, reference, note, receivedAt } = payment
  const price = isCurrency(currency) ? priceOf(plans[plan], currency) : null
  const isPrice = price === payment.amount
  const priceText =
    price === null ? '' : ` (the price is ${moneyText({ amount: price, currency })})`
  const untyped = payment.isUntyped ? ' (the plan’s price: no amount was typed)' : ''
  const rows = [
    { name: 'Plan', value: plan },
    { name: 'Amount', value: moneyText(payment) + (isPrice ? '' : priceText) + untyped },
    { name: 'Method', value: methodName(method) },
    { name: 'Reference', value: reference ?? 'none' },
    { name: 'Received', value: dayTimeAndZone(receivedAt, timeZone) },
    ...(account ? [{ name: 'Account', value: account.plan ?? 'No plan' }] : []),
    ...(note === null ? [] : [{ name: 'Note', value: note }]),
  ]
  return (
    <>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        {rows.map(({ name, value }) => (
          <div key={name} className="contents">
            <dt className="text-soft">{name}</dt>
            <dd className="break-words">{value}</dd>
          </div>
        ))}
      </dl>
      {payment.hasScreenshot && (
        <a
          href={paths.admin.paymentScreenshot(payment.id)}
          target="_blank"
          rel="noreferrer"
          className={`${textLinkClass} text-sm`}
        >
          Open the screenshot
        </a>
      )}
    </>
  )
}
