import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { PageHeader } from '~/components/admin/page-header'
import { LATE_PAYMENT, LatePaymentDialog } from '~/components/admin/payments/late-payment'
import { UnpaidTable } from './unpaid-table'
import { ActionToast } from '~/components/ui/toasts'
import { buttonClass } from '~/components/ui/button'
import { FilterGroup } from '~/components/ui/filter-group'
import { foreseeLatePayment } from '~/domain/administration/changes/late-payment.server'
import { ACT_KINDS, ACT_NAMES, type ActKind } from '~/domain/administration/changes/sold-acts'
import { countUnpaid, listUnpaid } from '~/domain/administration/changes/sold-acts.server'
import { handleForm } from '~/http/forms/forms.server'
import { requireAdmin } from '~/http/session/guards.server'
import { readDialog } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'
import { latePayments } from '~/http/actions/late-payment-form.server'

export const meta: MetaFunction = () => pageMeta('Without a payment')

/** Returns the tab that the address names. */
const tabOf = (url: URL) =>
  ACT_KINDS.find((kind) => kind === url.searchParams.get('kind')) ?? 'renewed'

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  const url = new URL(request.url)
  const { name, on } = readDialog(url.searchParams)
  const kind = tabOf(url)
  const [acts, counts, asked] = await Promise.all([
    listUnpaid(ctx.db, { kind }),
    countUnpaid(ctx.db),
    name === LATE_PAYMENT ? foreseeLatePayment(ctx, on) : null,
  ])
  return json({ acts, kind, counts, asked })
}

export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireAdmin(args)
  return handleForm(args, latePayments(ctx, addressOf(tabOf(new URL(args.request.url)))))
}

const addressOf = (kind: ActKind) =>
  kind === 'renewed' ? paths.admin.unpaid : `${paths.admin.unpaid}?kind=${kind}`

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

/** What customers got without a payment, or with one below the price. */
export default function UnpaidPage() {
  const { acts, kind, counts, asked } = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  return (
    <div className="space-y-6">
      <ActionToast toast={failure?.toast} />
      <PageHeader
        title="Without a payment"
        note="Or below the price, of the last 8 weeks, the newest 100 first. A payment that came later is recorded here."
      >
        <Link to={paths.admin.payments} className={buttonClass('plain')}>
          All payments
        </Link>
      </PageHeader>
      <FilterGroup
        label="What customers got"
        choices={ACT_KINDS.map((one) => ({
          label: ACT_NAMES[one],
          count: counts[one],
          isCurrent: one === kind,
          to: addressOf(one),
        }))}
      />
      <UnpaidTable acts={acts} name={ACT_NAMES[kind]} />
      {asked && <LatePaymentDialog act={asked} />}
    </div>
  )
}
