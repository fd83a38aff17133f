import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { TokenDialogs } from './token-dialogs'
import { TokenFilters, TokenTable } from './token-table'
import { PageTitle } from '~/components/admin/page-header'
import { TokenPoolPanel } from '~/components/admin/tokens/token-pool-panel'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { ActionToast } from '~/components/ui/toasts'
import { Card } from '~/components/ui/card'
import { CursorPages } from '~/components/ui/cursor-pages'
import { DialogLink } from '~/components/ui/dialog-link'
import { SubmitButton } from '~/components/ui/submit-button'
import type { TokenFilter, TokenRemovalView } from '~/domain/tokens/desk-rules'
import { deskQuery } from '~/domain/tokens/desk-schemas'
import { listTokens, listRemovals } from '~/domain/tokens/token-desk.server'
import { choicesOf } from '~/domain/providers.server'
import { getPoolSummary } from '~/domain/tokens/pool-health.server'
import { emptyPoolText } from '~/domain/tokens/rules'
import { deskForms } from './route.server'
import { handleForm } from '~/http/forms/forms.server'
import { requireAdmin } from '~/http/session/guards.server'
import { closedAddress } from '~/lib/dialog-address'
import { figure, plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'
import { dayAndTime } from '~/lib/time'
import { usePlatformZone } from '~/components/ui/use-root-data'

export const meta: MetaFunction = () => pageMeta('Extra Tokens Pool')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  const query = deskQuery.parse(Object.fromEntries(new URL(request.url).searchParams))
  const [summary, page, removals] = await Promise.all([
    getPoolSummary(ctx),
    listTokens(ctx, query),
    listRemovals(ctx),
  ])
  return json({ summary, page, removals, query, providers: choicesOf(ctx) })
}

export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireAdmin(args)
  const { search } = new URL(args.request.url)
  const address = closedAddress(search)
  return handleForm(args, deskForms(ctx, paths.admin.tokens + (address === '?' ? '' : address)))
}

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

const pageAddress = ({ state, sort }: TokenFilter, page: number) =>
  `${paths.admin.tokens}?${new URLSearchParams({ state, sort, page: String(page) })}`

export default function TokensPage() {
  const { summary, page, removals, query, providers } = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  const isFiltered = query.state !== 'all'
  return (
    <div className="space-y-6">
      <ActionToast toast={failure?.toast} />
      <PageTitle>Extra Tokens Pool</PageTitle>
      <TokenPoolPanel summary={summary} providers={providers} />
      <Card title={`Tokens: ${figure(page.total)}`}>
        <div className="space-y-4">
          <div className="flex flex-wrap items-end justify-between gap-3">
            <TokenFilters query={query} />
            <div className="flex flex-wrap gap-2">
              <ActionForm intent="check-all" preventScrollReset>
                <HiddenFields fields={{ state: query.state }} />
                <SubmitButton intent="check-all" look="plain" pending="Testing...">
                  {isFiltered ? `Test all (${figure(page.total)})` : 'Test all'}
                </SubmitButton>
              </ActionForm>
              {page.dead > 0 && (
                <DialogLink dialog="remove-dead">Remove all dead ({figure(page.dead)})</DialogLink>
              )}
            </div>
          </div>
          {summary.total === 0 && page.tokens.length > 0 && (
            // The table contains the platform's own token.
            <p className="text-sm text-soft">{emptyPoolText(summary)}</p>
          )}
          <TokenTable
            page={page}
            emptyText={isFiltered ? 'No token is in this state.' : emptyPoolText(summary)}
          />
          <CursorPages
            first={query.page === 1 ? null : { to: pageAddress(query, 1), label: 'First' }}
            next={
              query.page < page.pages
                ? { to: pageAddress(query, query.page + 1), label: 'Next' }
                : null
            }
          />
        </div>
      </Card>
      <TokenRemovals removals={removals} />
      <TokenDialogs tokens={page.tokens} dead={page.dead} total={summary.total} />
    </div>
  )
}

/** Removals of the last day, each with its Undo. */
function TokenRemovals({ removals }: { removals: readonly TokenRemovalView[] }) {
  const timeZone = usePlatformZone()
  if (removals.length === 0) return null
  return (
    <Card title="Removed lately">
      <ul className="space-y-2">
        {removals.map(({ id, count, actorName, removedAt }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-2 text-sm">
            <span>
              {plural(count, 'token')}, {dayAndTime(removedAt, timeZone)}, by {actorName}
            </span>
            <ActionForm intent="undo" preventScrollReset>
              <input type="hidden" name="id" value={id} />
              <SubmitButton
                intent="undo"
                look="plain"
                aria-label={`Undo the removal of ${dayAndTime(removedAt, timeZone)}`}
              >
                Undo
              </SubmitButton>
            </ActionForm>
          </li>
        ))}
      </ul>
    </Card>
  )
}
