import {
  json,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { PoolTable } from '~/components/admin/pool-table'
import { TokenPoolDialogs, TokenPoolPanel } from '~/components/admin/token-pool-panel'
import { ActionToast } from '~/components/ui/action-toast'
import { Card } from '~/components/ui/card'
import { checkPoolToken } from '~/domain/tokens/check-pool-token.server'
import { getPoolSummary, listPoolHealth } from '~/domain/tokens/pool-health.server'
import {
  addPoolToken,
  addPoolTokens,
  removeAllPoolTokens,
  removePoolToken,
} from '~/domain/tokens/pool.server'
import { additionsText } from '~/domain/tokens/rules'
import { addTokenInput, addTokensInput } from '~/domain/tokens/schemas'
import type { AdminCtx } from '~/domain/context'
import { form, handleForm } from '~/http/forms.server'
import { requireAdmin } from '~/http/guards.server'
import { redirectWithToast } from '~/http/toast.server'
import { paths } from '~/lib/paths'
import { plural } from '~/lib/text'
import { pageTitle } from '~/lib/title'

export const meta: MetaFunction = () => [{ title: pageTitle('Extra Tokens Pool') }]

const pageQuery = z.object({ after: z.coerce.number().int().min(0).catch(0) })

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  const { after } = pageQuery.parse(Object.fromEntries(new URL(request.url).searchParams))
  const [summary, page] = await Promise.all([getPoolSummary(ctx), listPoolHealth(ctx, after)])
  return json({ summary, page, isFirst: after === 0, timeZone: ctx.settings.timeZone })
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  return handleForm({ request, context }, poolForms(ctx))
}

const oneToken = z.object({ id: z.string({ required_error: 'No token was named' }) })

function poolForms(ctx: AdminCtx) {
  const done = (title: string, description?: string) =>
    redirectWithToast(paths.admin.tokens, { kind: 'success', title, description })
  return {
    'add-token': form('Failed to add token', addTokenInput, async ({ token }) => {
      await addPoolToken(ctx, token)
      return done('Token added')
    }),
    'add-tokens': form('Bulk import failed', addTokensInput, async ({ tokens }) => {
      const { added, failed } = await addPoolTokens(ctx, tokens)
      const reasons = failed.slice(0, 3).map(({ line, problem }) => `Line ${line}: ${problem}`)
      const description = [additionsText(added, failed.length), ...reasons].join('. ')
      if (added > 0) return done('Tokens added', description)
      const toast = { kind: 'error', title: 'Bulk import failed', description } as const
      return redirectWithToast(paths.admin.tokens, toast)
    }),
    remove: form('Failed to remove token', oneToken, async ({ id }) => {
      await removePoolToken(ctx, id)
      return done('Token removed')
    }),
    'remove-all': form('Failed to delete tokens', z.object({}), async () => {
      const count = await removeAllPoolTokens(ctx)
      return done('Tokens deleted', `${plural(count, 'token')} removed from the pool.`)
    }),
    check: form('Test failed', oneToken, async ({ id }) => {
      const { works, message } = await checkPoolToken(ctx, id)
      const kind = works ? 'success' : 'error'
      const title = works ? 'Token tested' : 'Test failed'
      return redirectWithToast(paths.admin.tokens, { kind, title, description: message })
    }),
  }
}

export default function TokensPage() {
  const { summary, page, isFirst, timeZone } = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  return (
    <div className="space-y-6">
      <h1 className="text-lg font-semibold sm:text-xl">Extra Tokens Pool</h1>
      <TokenPoolPanel summary={summary} failure={failure ?? null} />
      <Card title="Tokens in the pool">
        <PoolTable page={page} isFirst={isFirst} timeZone={timeZone} />
      </Card>
      <TokenPoolDialogs tokens={page.tokens} total={summary.total} />
      <ActionToast toast={failure?.toast} />
    </div>
  )
}
