import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { useActionData, useLoaderData, type ClientActionFunctionArgs } from '@remix-run/react'
import { sendPanelForm } from '~/components/admin/send-admin-form'
import { ImportPanel } from '~/components/admin/imports/import-panel'
import { IMPORT_EXAMPLE } from '~/domain/administration/imports/import-example'
import { PanelPage } from '~/components/admin/panel-page'
import { unlessUnanswered } from '~/components/layout/should-revalidate'
import { runPanel } from '~/http/actions/panels.server'
import { requireAdmin } from '~/http/session/guards.server'
import { pageMeta } from '~/lib/title'
import { runImport } from './admin.users.import.server'

export const meta: MetaFunction = () => pageMeta('Import users')

export async function loader({ request, context }: LoaderFunctionArgs) {
  requireAdmin({ request, context })
  const isExample = new URL(request.url).searchParams.has('example')
  return json({ initialText: isExample ? IMPORT_EXAMPLE : '' })
}

export async function action({ request, context }: ActionFunctionArgs) {
  return runPanel({ request, context }, runImport)
}

/** Submits the form with scripts. If no response comes, keeps the pasted text. */
export function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const send = () => serverAction<typeof action>()
  return sendPanelForm(request, { send, nothing: NOTHING })
}

const NOTHING = { results: [], isCheck: false }

export { unlessUnanswered as shouldRevalidate }

export default function ImportPage() {
  const { initialText } = useLoaderData<typeof loader>()
  const response = useActionData<typeof action>()
  return (
    <PanelPage title="Import users">
      <ImportPanel result={response} initialText={initialText} />
    </PanelPage>
  )
}
