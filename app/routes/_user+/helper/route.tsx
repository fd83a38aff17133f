import {
  json,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node'
import { useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import { CredentialsDialog } from '~/components/admin/users/credentials-dialog'
import { CustomerCard } from './helper-customer-card'
import { HelperClaims } from './helper-claims'
import { HelperActs } from '~/components/admin/helpers/helper-acts'
import { HelperRequests } from '~/components/admin/helpers/helper-requests'
import { PageHeader } from '~/components/admin/page-header'
import { QuickCreateForm } from '~/components/admin/users/user-forms'
import { ActionToast } from '~/components/ui/toasts'
import { Card } from '~/components/ui/card'
import { EmptyState } from '~/components/ui/empty-state'
import { FilterForm } from '~/components/ui/filter-form'
import { SearchField } from '~/components/ui/search-field'
import { findCustomer } from '~/domain/administration/helpers/helper-acts.server'
import {
  listHelperClaims,
  takesPayments,
} from '~/domain/administration/helpers/helper-claims.server'
import {
  leftToday,
  listHelperActs,
  listRequests,
} from '~/domain/administration/helpers/helpers.server'
import { lastPaidBy } from '~/domain/payments/book.server'
import { handleForm } from '~/http/forms/forms.server'
import { newFormKey } from '~/http/forms/idempotency.server'
import { takeOnce } from '~/http/session/credentials-once.server'
import { requireHelper } from '~/http/session/guards.server'
import { readDialog } from '~/lib/dialog-address'
import { pageMeta } from '~/lib/title'
import { helperForms } from './route.server'

export const meta: MetaFunction = () => pageMeta('Customers')

const LONGEST_NAME = 64

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireHelper({ request, context })
  const search = (new URL(request.url).searchParams.get('search') ?? '').slice(0, LONGEST_NAME)
  const { id, rights } = ctx.actor
  const [customer, acts, requests, claims, paid, lastPaid, left, { credentials, headers }] =
    await Promise.all([
      search === '' ? null : findCustomer(ctx, search),
      listHelperActs(ctx, id),
      listRequests(ctx, id),
      listHelperClaims(ctx),
      takesPayments(ctx),
      lastPaidBy(ctx.db, ctx.actor.username),
      leftToday(ctx),
      takeOnce(ctx, request),
    ])
  const lists = { ...acts, requests, claims }
  const data = {
    search,
    customer,
    ...lists,
    left,
    rights,
    takesPayments: paid,
    lastPaid,
    credentials,
  }
  return json({ ...data, formKey: newFormKey() }, { headers })
}

export async function action(args: ActionFunctionArgs) {
  return handleForm(args, helperForms(requireHelper(args).ctx))
}

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

/** Where a helper serves one customer at a time. */
export default function HelperPage() {
  const data = useLoaderData<typeof loader>()
  const { search, customer, acts, sales, requests, claims, left, rights, credentials, formKey } =
    data
  const may = { rights, takesPayments: data.takesPayments }
  const failure = useActionData<typeof action>()
  const [params] = useSearchParams()
  const values = { search }
  return (
    <div className="space-y-6">
      <ActionToast toast={failure?.toast} />
      <PageHeader title="Customers" note="Type a customer’s whole number." />
      <FilterForm label="Find a customer" values={values} button="Search">
        <SearchField label="Number or name" defaultValue={search} maxLength={LONGEST_NAME} />
      </FilterForm>
      {customer && <CustomerCard customer={customer} may={may} left={left} formKey={formKey} />}
      {search !== '' && !customer && <EmptyState text="No customer has this number." />}
      <HelperClaims claims={claims} />
      <HelperRequests requests={requests} />
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
        {rights.includes('create') && (
          <Card title="New customer">
            <QuickCreateForm takesPayments={may.takesPayments} />
          </Card>
        )}
        <HelperActs acts={acts} sales={sales} />
      </div>
      {credentials && readDialog(params).name === 'credentials' && (
        <CredentialsDialog credentials={credentials} />
      )}
    </div>
  )
}
