import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  json,
  redirect,
} from '@remix-run/node'
import { useActionData, useLoaderData, Link } from '@remix-run/react'
import { CustomerChat, CustomerNote } from './customer-card'
import { CustomerFacts, CustomerHeader } from './customer-facts'
import { CustomerKeys } from './customer-keys'
import { renewFromOf } from '~/components/admin/customers/renew-dialog'
import { CustomerVideos } from './customer-videos'
import { LATE_PAYMENT, LatePaymentDialog } from '~/components/admin/payments/late-payment'
import { UserDialogs } from '~/components/admin/users/user-dialogs'
import { ActionToast } from '~/components/ui/toasts'
import { foreseeRenewal } from '~/domain/administration/changes/foresee-renewal.server'
import { foreseeLatePayment } from '~/domain/administration/changes/late-payment.server'
import { getCustomerPage } from '~/domain/administration/customers/customer-page.server'
import { findListedUser } from '~/domain/administration/users/users-query.server'
import { userVideosQuery } from '~/domain/videos/admin/user-videos.server'
import { handleForm } from '~/http/forms/forms.server'
import { newFormKey } from '~/http/forms/idempotency.server'
import { takeOnce } from '~/http/session/credentials-once.server'
import { requireAdmin } from '~/http/session/guards.server'
import { readDialog } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'
import { customerForms } from './route.server'
import type { ActivityEntryView } from '~/domain/activity/types'
import { Card } from '~/components/ui/card'
import { textLinkClass } from '~/components/ui/text-link'
import { ActivityRow } from '~/components/admin/activity-row'

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageMeta(data?.customer.user.username ?? 'Customer')

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  const { search, searchParams } = new URL(request.url)
  const { userId = '' } = params
  const user = await findListedUser(ctx, userId)
  if (!user) throw json(null, 404)
  // Lists without ids lead here by name.
  if (user.id !== userId) throw redirect(paths.admin.user(user.id) + search)
  const query = userVideosQuery.parse(Object.fromEntries(searchParams))
  const { credentials, headers } = await takeOnce(ctx, request)
  const { name: dialog, on } = readDialog(searchParams)
  const customer = await getCustomerPage(ctx, user, query)
  const late = dialog === LATE_PAYMENT ? await foreseeLatePayment(ctx, on) : null
  const asked = late?.userId === user.id ? late : null
  const renewal = await foreseeRenewal(ctx, { id: user.id, from: renewFromOf(dialog) })
  const shown = { credentials, dialog, asked, renewal, formKey: newFormKey() }
  return json({ customer, query, ...shown }, { headers })
}

export async function action(args: ActionFunctionArgs) {
  const { ctx, token } = requireAdmin(args)
  const { pathname, search } = new URL(args.request.url)
  return handleForm(args, customerForms({ ctx, path: pathname, search, token }))
}

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

/** All about one customer, on one page: what was sold, what is being made, and why it is not. */
export default function CustomerPage() {
  const { customer, query, formKey, asked, ...dialogs } = useLoaderData<typeof loader>()
  const { user, hasSecondFactor, failedSignIns } = customer
  const failure = useActionData<typeof action>()
  return (
    <div className="space-y-4">
      <ActionToast toast={failure?.toast} />
      <CustomerHeader user={user} />
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[22rem_minmax(0,1fr)] 2xl:grid-cols-[26rem_minmax(0,1fr)]">
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2 xl:grid-cols-1">
          <CustomerFacts customer={customer} />
          <div className="space-y-4">
            <CustomerChat customer={customer} />
            <CustomerNote id={user.id} card={customer.card} languages={customer.languages} />
            <CustomerKeys customer={customer} />
          </div>
        </div>
        <div className="space-y-4">
          <CustomerVideos customer={customer} query={query} />
          <CustomerLog username={user.username} entries={customer.entries} />
        </div>
      </div>
      <UserDialogs
        {...dialogs}
        user={user}
        formKey={formKey}
        hasSecondFactor={hasSecondFactor}
        failedSignIns={failedSignIns}
        deletable={null}
        total={0}
      />
      {asked && <LatePaymentDialog act={asked} />}
    </div>
  )
}

type Props = { username: string; entries: readonly ActivityEntryView[] }

/** The latest that the customer did, and that was done to the account. */
const CustomerLog = ({ username, entries }: Props) => (
  <Card title="Activity">
    {entries.length === 0 ? (
      <p className="text-sm text-soft">Nothing here yet.</p>
    ) : (
      <ol className="divide-y divide-line">
        {entries.map((entry) => (
          <ActivityRow key={entry.id} entry={entry} />
        ))}
      </ol>
    )}
    <Link
      to={`${paths.admin.activityLog}?${new URLSearchParams({ subject: username })}`}
      className={`${textLinkClass} mt-2 text-sm`}
    >
      All entries
    </Link>
  </Card>
)
