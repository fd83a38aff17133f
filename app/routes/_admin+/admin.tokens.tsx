import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { useActionData, useLoaderData, type ClientActionFunctionArgs } from '@remix-run/react'
import { z } from 'zod'
import { adminAnswer } from '~/components/admin/admin-answer'
import { PageTitle } from '~/components/admin/page-header'
import { PoolTable } from '~/components/admin/pool-table'
import { TokenPoolDialogs, TokenPoolPanel } from '~/components/admin/token-pool-panel'
import { unlessUnanswered } from '~/components/layout/should-revalidate'
import { ActionToast } from '~/components/ui/action-toast'
import { Card } from '~/components/ui/card'
import { POOL_FAILED } from '~/domain/administration/failure-titles'
import { getPoolSummary, listPoolHealth } from '~/domain/tokens/pool-health.server'
import { handleForm } from '~/http/forms/forms.server'
import { requireAdmin } from '~/http/session/guards.server'
import { poolForms } from '~/http/actions/pool-forms.server'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('Extra Tokens Pool')

const pageQuery = z.object({ after: z.coerce.number().int().min(0).catch(0) })

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  const { after } = pageQuery.parse(Object.fromEntries(new URL(request.url).searchParams))
  const [summary, page] = await Promise.all([getPoolSummary(ctx), listPoolHealth(ctx, { after })])
  return json({ summary, page, isFirst: after === 0 })
}

export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireAdmin(args)
  return handleForm(args, poolForms(ctx, paths.admin.tokens))
}

/** Submits a form with scripts. If no response comes, keeps the page. */
export function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const send = () => serverAction<typeof action>()
  return adminAnswer(request, { send, titles: POOL_FAILED })
}

export { unlessUnanswered as shouldRevalidate }

export default function TokensPage() {
  const { summary, page, isFirst } = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  return (
    <div className="space-y-6">
      <ActionToast toast={failure?.toast} />
      <PageTitle>Extra Tokens Pool</PageTitle>
      <TokenPoolPanel summary={summary} />
      <Card title="Tokens in the pool">
        <PoolTable page={page} isFirst={isFirst} summary={summary} />
      </Card>
      <TokenPoolDialogs tokens={page.tokens} total={summary.total} />
    </div>
  )
}
