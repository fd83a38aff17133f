import {
  json,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import type { input } from 'zod'
import { PaymentAccounts } from '~/components/public/payment-accounts'
import { SignInLayout } from '~/components/public/sign-in-layout'
import { ActionForm } from '~/components/ui/action-form'
import { Button } from '~/components/ui/button'
import { CurrencyField, Field, SelectField, TextAreaField } from '~/components/ui/field'
import { useActionForm } from '~/components/ui/use-action-form'
import { phone } from '~/domain/accounts/schemas'
import type { Account } from '~/domain/accounts/types'
import { claimPayment } from '~/domain/payments/claim.server'
import { listOwnClaims, type OwnClaim } from '~/domain/payments/list.server'
import { METHOD_NAMES } from '~/domain/payments/rules'
import { claimInput } from '~/domain/payments/schemas'
import { offeredPlans } from '~/domain/plans/catalogue'
import { readScreenshotField } from '~/http/forms/screenshot-field.server'
import { form, handleForm } from '~/http/forms/forms.server'
import { readPaymentMethods, readPlans } from '~/http/loaders/contacts.server'
import { anyone } from '~/http/session/guards.server'
import { figure } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'
import { moneyText } from '~/domain/payments/money'
import { PAYMENT_METHODS, type PaymentState } from '~/domain/payments/types'
import { shortDay } from '~/lib/time'
import { Badge, type BadgeTone } from '~/components/ui/badge'
import { textLinkClass } from '~/components/ui/text-link'
import { usePlatformZone } from '~/components/ui/use-root-data'

export const meta: MetaFunction = () =>
  pageMeta('I have paid', 'Tell us about your payment, and see what we say to it.')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, account } = anyone({ request, context })
  const id = new URL(request.url).searchParams.get('claim')
  const [methods, plans, claims] = await Promise.all([
    readPaymentMethods(),
    readPlans(),
    listOwnClaims(ctx.db, { userId: account?.id ?? null, id }),
  ])
  const names = new Map<string, string>(methods.map(({ kind, name }) => [kind, name]))
  const options = PAYMENT_METHODS.map((value) => ({
    value,
    label: names.get(value) ?? METHOD_NAMES[value],
  }))
    // The first one is preselected: one that buyers can pay by.
    .sort((a, b) => Number(names.has(b.value)) - Number(names.has(a.value)))
  return json({
    claims,
    methods: options,
    accounts: methods,
    plans: offeredPlans(plans).map(({ name, rupees, dollars }) => ({
      value: name,
      label: `${name}: ${figure(rupees)} PKR or ${figure(dollars)} USD`,
    })),
    plan: account?.plan ?? null,
    isKnown: account !== null,
    takesScreenshots: ctx.redraw !== null,
  })
}

const SCREENSHOT = 'screenshot'

/** A signed-in customer reports for their own account, a visitor for the number they type. */
const visitorsClaim = claimInput.extend({ phone })

export async function action(args: ActionFunctionArgs) {
  const { ctx, account } = anyone(args)
  const title = 'Your payment was not reported'
  const toast = {
    kind: 'success',
    title: 'Thank you',
    description: 'We will check your payment as soon as we can.',
  } as const
  const sender = { redraw: ctx.redraw, address: ctx.actor.address, userId: account?.id ?? null }
  const screenshotIn = (data: FormData) => () => readScreenshotField(data, SCREENSHOT, sender)
  const own = (account: Account) =>
    form(title, claimInput, async (claim, data) => {
      await claimPayment(ctx, claim, { claimant: { account }, readScreenshot: screenshotIn(data) })
      return { to: paths.paid, toast }
    })
  const visitors = form(title, visitorsClaim, async ({ phone, ...claim }, data) => {
    const readScreenshot = screenshotIn(data)
    const id = await claimPayment(ctx, claim, { claimant: { phone }, readScreenshot })
    return { to: paths.claim(id), toast }
  })
  return handleForm(args, { claim: account ? own(account) : visitors })
}

/** Where a customer reports a payment, and sees the state of those reported. */
export default function PaidPage() {
  const { claims, methods, accounts, plans, plan, isKnown, takesScreenshots } =
    useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  const [form, fields] = useActionForm<input<typeof visitorsClaim> & { screenshot: string }>(
    'claim',
    {
      defaultValue: { plan: plan ?? 'Starter', currency: 'PKR' },
    },
  )
  const isWaiting = claims.some(({ state }) => state === 'claimed')
  return (
    <SignInLayout title="I have paid" failure={failure}>
      {isKnown && (
        <Link to={paths.app} className={textLinkClass}>
          Back to your videos
        </Link>
      )}
      <ClaimStates claims={claims} />
      {!isWaiting && accounts.length > 0 && (
        <details open={claims.length === 0}>
          <summary className="fold-summary">
            <h2 className="inline">Where to pay</h2>
          </summary>
          <PaymentAccounts methods={accounts} />
        </details>
      )}
      {!isWaiting && (
        <ActionForm
          {...form}
          intent="claim"
          encType="multipart/form-data"
          className="space-y-4"
          data-pending="Sending…"
        >
          {!isKnown && (
            <Field
              field={fields.phone}
              label="Phone number"
              type="tel"
              autoComplete="tel"
              hint="Of your account, or for a new one"
              required
            />
          )}
          <SelectField field={fields.plan} label="Plan" options={plans} />
          <SelectField field={fields.method} label="Paid by" options={methods} />
          <div className="grid grid-cols-2 gap-3 tiny:grid-cols-1">
            <Field
              field={fields.amount}
              label="Amount"
              inputMode="decimal"
              hint="Leave it empty if you paid the price of the plan"
            />
            <CurrencyField field={fields.currency} />
          </div>
          <Field field={fields.reference} label="Reference" hint="The number of the transfer" />
          <TextAreaField field={fields.note} label="Note (optional)" rows={2} />
          {takesScreenshots && (
            <Field
              field={fields.screenshot}
              label="Screenshot of the payment (optional)"
              type="file"
              accept="image/jpeg,image/png"
              hint="JPEG or PNG, at most 2 MB. We remove it after 90 days."
            />
          )}
          <Button className="w-full">Report the payment</Button>
        </ActionForm>
      )}
    </SignInLayout>
  )
}

const STATES = {
  claimed: { text: 'We will check it soon', tone: 'warn' },
  confirmed: { text: 'Confirmed', tone: 'good' },
  rejected: { text: 'Not accepted', tone: 'bad' },
  refunded: { text: 'Refunded', tone: 'neutral' },
} as const satisfies Record<PaymentState, { text: string; tone: BadgeTone }>

/** The payments that a customer has reported, newest first. */
function ClaimStates({ claims }: { claims: readonly OwnClaim[] }) {
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
