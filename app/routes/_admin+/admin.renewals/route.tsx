import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json, redirect } from '@remix-run/node'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { PageHeader } from '~/components/admin/page-header'
import { isRenewDialog, RenewDialog, renewFromOf } from '~/components/admin/customers/renew-dialog'
import { RenewalsSection } from './renewals-section'
import { MissingUserDialog } from '~/components/admin/users/user-dialogs'
import { ActionToast } from '~/components/ui/toasts'
import { buttonClass } from '~/components/ui/button'
import { foreseeRenewal } from '~/domain/administration/changes/foresee-renewal.server'
import { listDesk } from '~/domain/administration/customers/desk.server'
import { deskQuery } from '~/domain/administration/users/list-schemas'
import { userTableAddress } from '~/domain/administration/users/user-list'
import { readUserSelection } from '~/domain/administration/users/user-selection'
import { countDeskLists, findManagedUser } from '~/domain/administration/users/users-query.server'
import { handleForm } from '~/http/forms/forms.server'
import { newFormKey } from '~/http/forms/idempotency.server'
import { requireAdmin } from '~/http/session/guards.server'
import { readDialog } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'
import { renewing } from '~/http/actions/user-edit-forms.server'

export const meta: MetaFunction = () => pageMeta('Renewals')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  const { searchParams } = new URL(request.url)
  const query = deskQuery.parse(Object.fromEntries(searchParams))
  const saved = readUserSelection(searchParams)
  // A form brought the ticks of another page: from here on the address has them.
  if (searchParams.has('shown'))
    throw redirect(paths.admin.renewals + userTableAddress(query, saved))
  const { name: dialog, on } = readDialog(searchParams)
  const [counts, page, found, renewal] = await Promise.all([
    countDeskLists(ctx),
    listDesk(ctx, query),
    findManagedUser(ctx, ctx.db, on),
    foreseeRenewal(ctx, { id: on, from: renewFromOf(dialog) }),
  ])
  const user = page.users.find(({ id }) => id === on) ?? found
  return json({ query, saved, counts, page, dialog, user, renewal, formKey: newFormKey() })
}

export async function action(args: ActionFunctionArgs) {
  const { ctx, token } = requireAdmin(args)
  const query = deskQuery.parse(Object.fromEntries(new URL(args.request.url).searchParams))
  const page = { ctx, path: paths.admin.renewals, search: userTableAddress(query), token }
  return handleForm(args, { renew: renewing(page) })
}

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

/** Customers to write to: whose plan ends, has ended, is not used, or is nearly used up. */
export default function RenewalsPage() {
  const { dialog, user, renewal, formKey, ...data } = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  return (
    <div className="space-y-6">
      <ActionToast toast={failure?.toast} />
      <PageHeader title="Renewals" note="Active customers to renew, or to write to.">
        <Link to={`${paths.admin.settings}#chat-texts`} className={buttonClass('plain')}>
          Chat texts
        </Link>
      </PageHeader>
      <RenewalsSection {...data} />
      {isRenewDialog(dialog) &&
        (user ? (
          <RenewDialog name={dialog} user={user} renewal={renewal} formKey={formKey} />
        ) : (
          <MissingUserDialog />
        ))}
    </div>
  )
}
