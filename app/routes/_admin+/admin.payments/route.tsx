import {
  json,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node'
import { Link, useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import { CredentialsDialog } from '~/components/admin/users/credentials-dialog'
import { MonthTotals } from './month-totals'
import { PageHeader } from '~/components/admin/page-header'
import { PaymentDialog } from './payment-dialogs'
import { PaymentTable } from '~/components/admin/payments/payment-table'
import { ActionToast } from '~/components/ui/toasts'
import { buttonClass } from '~/components/ui/button'
import { CursorPages } from '~/components/ui/cursor-pages'
import { FilterField, FilterForm, FilterSelect } from '~/components/ui/filter-form'
import { Icon } from '~/components/ui/icon'
import { filtersOf } from '~/domain/activity/types'
import {
  findOpenClaims,
  firstPaymentAt,
  listPayments,
  monthTotals,
  referralCosts,
} from '~/domain/payments/list.server'
import { getCodeIncome } from '~/domain/business/settings.server'
import { METHOD_NAMES, STATE_NAMES } from '~/domain/payments/rules'
import { paymentsQuery, type PaymentsQuery } from '~/domain/payments/schemas'
import { PLAN_NAMES } from '~/domain/plans/types'
import { handleForm } from '~/http/forms/forms.server'
import { takeOnce } from '~/http/session/credentials-once.server'
import { requireAdmin } from '~/http/session/guards.server'
import { readDialog } from '~/lib/dialog-address'
import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { dayIn, monthInWords } from '~/lib/time'
import { pageMeta } from '~/lib/title'
import { aboutPayment, paymentForms } from './route.server'

export const meta: MetaFunction = () => pageMeta('Payments')

/** The most months to choose from. */
const MONTHS = 24

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, now } = requireAdmin({ request, context })
  const { searchParams } = new URL(request.url)
  const query = paymentsQuery.parse(Object.fromEntries(searchParams))
  const dialog = readDialog(searchParams)
  const { timeZone } = ctx.settings
  const first = await firstPaymentAt(ctx.db)
  const months = monthsUntil(dayIn(timeZone, now), dayIn(timeZone, first ?? now))
  const month = query.month ?? months[0] ?? ''
  const [page, totals, costs, claims, about, once, codeIncome] = await Promise.all([
    listPayments(ctx, query),
    monthTotals(ctx, month),
    referralCosts(ctx, month),
    findOpenClaims(ctx.db),
    aboutPayment(ctx, dialog.on, now),
    takeOnce(ctx, request),
    getCodeIncome(ctx.db),
  ])
  const { credentials, headers } = once
  const shown = {
    page,
    totals,
    costs,
    claims,
    about,
    credentials,
    query,
    months,
    month,
    codeIncome,
  }
  return json({ ...shown, dialog: dialog.name }, { headers })
}

/** Returns the months with payments as YYYY-MM, this one first. */
function monthsUntil(today: string, first: string): string[] {
  const [year = 0, month = 1] = today.split('-').map(Number)
  const months = Array.from({ length: MONTHS }, (_, ago) =>
    new Date(Date.UTC(year, month - 1 - ago)).toISOString().slice(0, 7),
  )
  return months.filter((one, ago) => ago === 0 || one >= first.slice(0, 7))
}

export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireAdmin(args)
  return handleForm(args, paymentForms(ctx, new URL(args.request.url).search))
}

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

/** The book of payments, and the inbox of those that customers report. */
export default function PaymentsPage() {
  const { page, totals, costs, claims, about, credentials, query, months, month, ...rest } =
    useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  const [search] = useSearchParams()
  const isFiltered = Object.keys(filtersOf(query)).length > 0
  const older = new URLSearchParams(search)
  older.set('after', page.next ?? '')
  const waiting =
    claims.count === 0 ? 'No claim waits.' : `${plural(claims.count, 'claim')} waiting.`
  return (
    <div className="space-y-6">
      <ActionToast toast={failure?.toast} />
      <PageHeader title="Payments" note={`${waiting} What customers paid, newest first.`}>
        <div className="flex flex-wrap gap-2">
          <Link to={paths.admin.unpaid} className={buttonClass('plain')}>
            Without a payment
          </Link>
          {page.payments.length > 0 && (
            <a
              href={`${paths.admin.exportPayments}?${new URLSearchParams(filtersOf(query))}`}
              className={buttonClass('plain')}
            >
              <Icon name="download" className="size-4" /> Download as CSV
            </a>
          )}
        </div>
      </PageHeader>
      {(page.payments.length > 0 || isFiltered) && <Filters query={query} months={months} />}
      <PaymentTable payments={page.payments} />
      <CursorPages
        first={query.after ? { to: paths.admin.payments, label: 'Newest' } : null}
        next={page.next ? { to: `?${older}`, label: 'Older' } : null}
      />
      <MonthTotals month={month} totals={totals} costs={costs} codeIncome={rest.codeIncome} />
      {rest.dialog === 'credentials' && credentials && (
        <CredentialsDialog credentials={credentials} />
      )}
      <PaymentDialog dialog={rest.dialog} about={about} />
    </div>
  )
}

const options = (all: string, names: readonly { value: string; label: string }[]) => [
  { value: '', label: all },
  ...names,
]
const STATES = Object.entries(STATE_NAMES).map(([value, label]) => ({ value, label }))
const METHODS = Object.entries(METHOD_NAMES).map(([value, label]) => ({ value, label }))
const PLANS = PLAN_NAMES.map((name) => ({ value: name, label: name }))

type FiltersProps = { query: PaymentsQuery; months: readonly string[] }

function Filters({ query, months }: FiltersProps) {
  const { state = '', method = '', plan = '', month = '', customer, reference } = query
  return (
    <FilterForm
      label="Find payments"
      values={{ state, method, plan, month, customer, reference }}
      className="grid grid-cols-2 md:grid-cols-3 xl:grid-cols-[repeat(6,minmax(0,1fr))_auto]"
    >
      <FilterSelect
        name="state"
        label="State"
        options={options('All', STATES)}
        defaultValue={state}
      />
      <FilterSelect
        name="method"
        label="Method"
        options={options('All', METHODS)}
        defaultValue={method}
      />
      <FilterSelect name="plan" label="Plan" options={options('All', PLANS)} defaultValue={plan} />
      <FilterSelect
        name="month"
        label="Month"
        options={options(
          'All',
          months.map((value) => ({ value, label: monthInWords(value) })),
        )}
        defaultValue={month}
      />
      <FilterField name="customer" label="Customer’s number" defaultValue={customer} />
      <FilterField name="reference" label="Reference" defaultValue={reference} />
    </FilterForm>
  )
}
