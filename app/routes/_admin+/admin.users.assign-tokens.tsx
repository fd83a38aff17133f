import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { useActionData, type ClientActionFunctionArgs } from '@remix-run/react'
import { sendPanelForm } from '~/components/admin/send-admin-form'
import { AssignPanel } from '~/components/admin/tokens/assign-panel'
import { PanelPage } from '~/components/admin/panel-page'
import { unlessUnanswered } from '~/components/layout/should-revalidate'
import { runPanel } from '~/http/actions/panels.server'
import { requireAdmin } from '~/http/session/guards.server'
import { pageMeta } from '~/lib/title'
import { runAssignment } from './admin.users.assign-tokens.server'

export const meta: MetaFunction = () => pageMeta('Assign tokens')

export async function loader({ request, context }: LoaderFunctionArgs) {
  requireAdmin({ request, context })
  return json(null)
}

export async function action({ request, context }: ActionFunctionArgs) {
  return runPanel({ request, context }, runAssignment)
}

/** Submits the form with scripts. If no response comes, keeps the pasted text. */
export function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const send = () => serverAction<typeof action>()
  return sendPanelForm(request, { send, nothing: NOTHING })
}

const NOTHING = { preview: null }

export { unlessUnanswered as shouldRevalidate }

export default function AssignPage() {
  const response = useActionData<typeof action>()
  return (
    <PanelPage title="Assign tokens">
      <AssignPanel result={response} />
    </PanelPage>
  )
}
