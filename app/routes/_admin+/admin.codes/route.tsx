import {
  json,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node'
import { useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import { CodeTable } from './code-table'
import { IncomeForm, MakeCodesForm } from './code-forms'
import { codesForms } from './route.server'
import { ShownCodes } from './shown-codes'
import { PageHeader } from '~/components/admin/page-header'
import { CursorPages } from '~/components/ui/cursor-pages'
import { FilterGroup } from '~/components/ui/filter-group'
import { ActionToast } from '~/components/ui/toasts'
import { CODE_STATES, codesQuery, type CodeState } from '~/domain/administration/codes/code-schemas'
import { listCodes } from '~/domain/administration/codes/list-codes.server'
import type { MadeCodes } from '~/domain/administration/codes/make-codes.server'
import { getCodeIncome } from '~/domain/business/settings.server'
import { newFormKey } from '~/http/forms/idempotency.server'
import { handleForm } from '~/http/forms/forms.server'
import { addressOf } from '~/http/session/credentials-once.server'
import { requireAdmin, requireHelper } from '~/http/session/guards.server'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('Prepaid codes')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireHelper({ request, context }, 'codes')
  const query = codesQuery.parse(Object.fromEntries(new URL(request.url).searchParams))
  const isAdmin = ctx.actor.role === 'admin'
  const [page, income] = await Promise.all([
    listCodes(ctx, query),
    isAdmin ? getCodeIncome(ctx.db) : null,
  ])
  return json({ page, query, income, isAdmin, lotId: newFormKey() })
}

export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireHelper(args, 'codes')
  const admin = ctx.actor.role === 'admin' ? requireAdmin(args).ctx : null
  const { search } = new URL(args.request.url)
  const shown: { made?: MadeCodes } = {}
  const show = (made: MadeCodes) => void (shown.made = made)
  const response = await handleForm(args, codesForms({ ctx, admin, search, show }))
  // The codes are part of the response itself, as those of an API key are.
  return shown.made ? json({ made: shown.made, address: addressOf(paths.redeem) }) : response
}

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

const NAMES = {
  open: 'Open',
  used: 'Used',
  blocked: 'Blocked',
  ended: 'Ended',
} as const satisfies Record<CodeState, string>

/** Where prepaid codes are made, listed and blocked. */
export default function CodesPage() {
  const { page, query, income, isAdmin, lotId } = useLoaderData<typeof loader>()
  const response = useActionData<typeof action>()
  const made = response && 'made' in response ? response : null
  const failure = response && 'toast' in response ? response : undefined
  const [search] = useSearchParams()
  const older = new URLSearchParams(search)
  older.set('after', page.next ?? '')
  return (
    <div className="space-y-6">
      <ActionToast toast={failure?.toast} />
      <PageHeader
        title="Prepaid codes"
        note="A code gives its plan and days once, to whoever types it."
      />
      <ShownCodes made={made?.made ?? null} address={made?.address ?? ''} />
      <div className="space-y-6 print:hidden">
        <MakeCodesForm key={lotId} lotId={lotId} />
        {income && <IncomeForm income={income} />}
        <FilterGroup
          label="Codes"
          choices={CODE_STATES.map((state) => ({
            label: NAMES[state],
            count: null,
            isCurrent: state === query.state,
            to: `?${new URLSearchParams({ state, ...(query.lot && { lot: query.lot }) })}`,
          }))}
        />
        <CodeTable codes={page.codes} state={query.state} lot={query.lot} isAdmin={isAdmin} />
        <CursorPages
          first={query.after ? { to: `?state=${query.state}`, label: 'First' } : null}
          next={page.next ? { to: `?${older}`, label: 'More' } : null}
        />
      </div>
    </div>
  )
}
