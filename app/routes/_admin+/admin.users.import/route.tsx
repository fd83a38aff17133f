import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { ImportPanel } from '~/components/admin/imports/import-panel'
import { IMPORT_EXAMPLE } from '~/domain/administration/imports/import-example'
import { PanelPage } from '~/components/admin/panel-page'
import { runPanel } from '~/http/actions/panels.server'
import { requireAdmin } from '~/http/session/guards.server'
import { pageMeta } from '~/lib/title'
import { runImport } from './route.server'

export const meta: MetaFunction = () => pageMeta('Import users')

export async function loader({ request, context }: LoaderFunctionArgs) {
  requireAdmin({ request, context })
  const isExample = new URL(request.url).searchParams.has('example')
  return json({ initialText: isExample ? IMPORT_EXAMPLE : '' })
}

export async function action({ request, context }: ActionFunctionArgs) {
  return runPanel({ request, context }, runImport)
}

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

export default function ImportPage() {
  const { initialText } = useLoaderData<typeof loader>()
  const response = useActionData<typeof action>()
  return (
    <PanelPage title="Import users">
      <ImportPanel result={response} initialText={initialText} />
    </PanelPage>
  )
}
