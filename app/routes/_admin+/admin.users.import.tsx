import type {
  ActionFunctionArgs,
  HeadersArgs,
  LoaderFunctionArgs,
  MetaFunction,
} from '@remix-run/node'
import { json } from '@remix-run/node'
import { Link, useActionData, useLoaderData, type ClientActionFunctionArgs } from '@remix-run/react'
import { panelAnswer } from '~/components/admin/admin-answer'
import { ImportPanel } from '~/components/admin/import-panel'
import { IMPORT_EXAMPLE } from '~/domain/administration/import-rules'
import { unlessUnanswered } from '~/components/layout/should-revalidate'
import { cacheHeaders } from '~/http/responses/cache-headers.server'
import { answerImport } from '~/http/actions/admin-panels.server'
import { readAnsweredForm } from '~/http/forms/answered-form.server'
import { orConfirmFirst } from '~/http/forms/confirm-first.server'
import { requireAdmin } from '~/http/session/guards.server'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('Import users')

export async function loader({ request, context }: LoaderFunctionArgs) {
  requireAdmin({ request, context })
  const isExample = new URL(request.url).searchParams.has('example')
  return json({ initialText: isExample ? IMPORT_EXAMPLE : '' })
}

export function headers(args: HeadersArgs) {
  return cacheHeaders(args)
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  const data = await readAnsweredForm({ request, context })
  const answer = await orConfirmFirst(request, () => answerImport(ctx, data))
  return json(answer, { headers: { 'Cache-Control': 'no-store' } })
}

/** With scripts a text that gets no answer stays in its box. */
export function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const send = () => serverAction<typeof action>()
  return panelAnswer(request, { send, nothing: NOTHING })
}

const NOTHING = { results: [], isCheck: false }

export { unlessUnanswered as shouldRevalidate }

export default function ImportPage() {
  const { initialText } = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  return (
    <div className="space-y-4">
      <h1 className="text-lg font-semibold sm:text-xl">Import users</h1>
      <ImportPanel answer={answer} initialText={initialText} />
      <Link
        to={paths.admin.users}
        className="inline-flex min-h-11 items-center text-sm underline underline-offset-4"
      >
        Back to all users
      </Link>
    </div>
  )
}
