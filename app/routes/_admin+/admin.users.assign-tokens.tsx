import type {
  ActionFunctionArgs,
  HeadersArgs,
  LoaderFunctionArgs,
  MetaFunction,
} from '@remix-run/node'
import { json } from '@remix-run/node'
import { Link, useActionData, type ClientActionFunctionArgs } from '@remix-run/react'
import { panelAnswer } from '~/components/admin/admin-answer'
import { AssignPanel } from '~/components/admin/assign-panel'
import { unlessUnanswered } from '~/components/layout/should-revalidate'
import { cacheHeaders } from '~/http/responses/cache-headers.server'
import { answerAssign } from '~/http/actions/admin-panels.server'
import { readAnsweredForm } from '~/http/forms/answered-form.server'
import { orConfirmFirst } from '~/http/forms/confirm-first.server'
import { requireAdmin } from '~/http/session/guards.server'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('Assign tokens')

export async function loader({ request, context }: LoaderFunctionArgs) {
  requireAdmin({ request, context })
  return json(null)
}

export function headers(args: HeadersArgs) {
  return cacheHeaders(args)
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  const data = await readAnsweredForm({ request, context })
  const answer = await orConfirmFirst(request, () => answerAssign(ctx, data))
  return json(answer, { headers: { 'Cache-Control': 'no-store' } })
}

/** With scripts a text that gets no answer stays in its box. */
export function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const send = () => serverAction<typeof action>()
  return panelAnswer(request, { send, nothing: NOTHING })
}

const NOTHING = { preview: null }

export { unlessUnanswered as shouldRevalidate }

export default function AssignPage() {
  const answer = useActionData<typeof action>()
  return (
    <div className="space-y-4">
      <h1 className="text-lg font-semibold sm:text-xl">Assign tokens</h1>
      <AssignPanel answer={answer} />
      <Link
        to={paths.admin.users}
        className="inline-flex min-h-11 items-center text-sm underline underline-offset-4"
      >
        Back to all users
      </Link>
    </div>
  )
}
