import {
  json,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node'
import { useActionData, useLoaderData, type ClientActionFunctionArgs } from '@remix-run/react'
import { AskedClaims } from '~/components/admin/helpers/asked-claims'
import { HelperActs } from '~/components/admin/helpers/helper-acts'
import { HelperRequests } from '~/components/admin/helpers/helper-requests'
import { HelperRightsForm } from '~/components/admin/helpers/helper-rights-form'
import { PageHeader } from '~/components/admin/page-header'
import { sendAdminForm } from '~/components/admin/send-admin-form'
import { unlessUnanswered } from '~/components/layout/should-revalidate'
import { ActionToast } from '~/components/ui/action-toast'
import { EmptyState } from '~/components/ui/empty-state'
import { HELPERS_FAILED } from '~/lib/failure-titles'
import { listAskedClaims } from '~/domain/administration/helpers/helper-claims.server'
import {
  listHelperActs,
  listHelpers,
  listRequests,
} from '~/domain/administration/helpers/helpers.server'
import { handleForm } from '~/http/forms/forms.server'
import { requireAdmin } from '~/http/session/guards.server'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'
import { helpersForms } from './admin.helpers.server'

export const meta: MetaFunction = () => pageMeta('Helpers')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  const [helpers, acts, requests, claims] = await Promise.all([
    listHelpers(ctx),
    listHelperActs(ctx),
    listRequests(ctx),
    listAskedClaims(ctx),
  ])
  return json({ helpers, ...acts, requests, claims })
}

export async function action(args: ActionFunctionArgs) {
  return handleForm(args, helpersForms(requireAdmin(args).ctx))
}

/** Submits a form with scripts. If no response comes, keeps the page and what was typed. */
export function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const send = () => serverAction<typeof action>()
  return sendAdminForm(request, { send, titles: HELPERS_FAILED })
}

export { unlessUnanswered as shouldRevalidate }

/** What helpers ask for, what each may do, and what they did today. */
export default function HelpersPage() {
  const { helpers, acts, sales, requests, claims } = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  return (
    <div className="space-y-6">
      <ActionToast toast={failure?.toast} />
      <PageHeader
        title="Helpers"
        note="Users with the role editor, who may do for you what you tick."
      />
      <HelperRequests requests={requests} mayDecide />
      <AskedClaims claims={claims} />
      {helpers.length === 0 ? (
        <EmptyState text="There is no editor. Give a user that role under User Management." />
      ) : (
        <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
          {helpers.map((helper) => (
            <HelperRightsForm key={helper.id} helper={helper} />
          ))}
        </div>
      )}
      <HelperActs acts={acts} sales={sales} unpaid={paths.admin.unpaid} />
    </div>
  )
}
