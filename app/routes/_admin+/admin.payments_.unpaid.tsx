import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { Link, useActionData, useLoaderData, type ClientActionFunctionArgs } from '@remix-run/react'
import { PageHeader } from '~/components/admin/page-header'
import { LATE_PAYMENT, LatePaymentDialog } from '~/components/admin/payments/late-payment'
import { UnpaidTable } from '~/components/admin/payments/unpaid-table'
import { sendAdminForm } from '~/components/admin/send-admin-form'
import { unlessUnanswered } from '~/components/layout/should-revalidate'
import { ActionToast } from '~/components/ui/action-toast'
import { buttonClass } from '~/components/ui/button'
import { findUnpaid, listUnpaid } from '~/domain/administration/changes/late-payment.server'
import { handleForm } from '~/http/forms/forms.server'
import { requireAdmin } from '~/http/session/guards.server'
import { readDialog } from '~/lib/dialog-address'
import { UNPAID_FAILED } from '~/lib/failure-titles'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'
import { latePayments } from './admin.payments_.unpaid.server'

export const meta: MetaFunction = () => pageMeta('Renewals without a payment')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  const { name, on } = readDialog(new URL(request.url).searchParams)
  const [renewals, asked] = await Promise.all([
    listUnpaid(ctx),
    findUnpaid(ctx.db, name === LATE_PAYMENT ? on : null),
  ])
  return json({ renewals, asked })
}

export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireAdmin(args)
  return handleForm(args, latePayments(ctx, paths.admin.unpaid))
}

/** Submits a form with scripts. If no response comes, keeps the page and what was typed. */
export function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const send = () => serverAction<typeof action>()
  return sendAdminForm(request, { send, titles: UNPAID_FAILED })
}

export { unlessUnanswered as shouldRevalidate }

/** Renewals of which no payment is in the book yet. */
export default function UnpaidPage() {
  const { renewals, asked } = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  return (
    <div className="space-y-6">
      <ActionToast toast={failure?.toast} />
      <PageHeader
        title="Renewals without a payment"
        note="Of the last 8 weeks, the newest 100 first. A payment that came later is recorded here."
      >
        <Link to={paths.admin.payments} className={buttonClass('plain')}>
          All payments
        </Link>
      </PageHeader>
      <UnpaidTable renewals={renewals} />
      {asked && <LatePaymentDialog renewal={asked} />}
    </div>
  )
}
