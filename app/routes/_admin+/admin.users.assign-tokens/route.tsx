import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { AssignPanel } from '~/components/admin/tokens/assign-panel'
import { PanelPage } from '~/components/admin/panel-page'
import { choicesOf } from '~/domain/providers.server'
import { runPanel } from '~/http/actions/panels.server'
import { requireAdmin } from '~/http/session/guards.server'
import { pageMeta } from '~/lib/title'
import { runAssignment } from './route.server'

export const meta: MetaFunction = () => pageMeta('Assign tokens')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  return json({ providers: choicesOf(ctx) })
}

export async function action({ request, context }: ActionFunctionArgs) {
  return runPanel({ request, context }, runAssignment)
}

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

export default function AssignPage() {
  const response = useActionData<typeof action>()
  const { providers } = useLoaderData<typeof loader>()
  return (
    <PanelPage title="Assign tokens">
      <AssignPanel result={response} providers={providers} />
    </PanelPage>
  )
}
