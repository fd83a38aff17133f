import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { buttonClass } from '~/components/ui/button'
import { DialogLink } from '~/components/ui/dialog-link'
import { Icon } from '~/components/ui/icon'
import { AssignPanel } from '~/components/admin/tokens/assign-panel'
import { ImportPanel } from '~/components/admin/imports/import-panel'
import { LiveCards } from './live-cards'
import { PageHeader } from '~/components/admin/page-header'
import { PoolTable } from './pool-table'
import { TokenPoolDialogs, TokenPoolPanel } from '~/components/admin/tokens/token-pool-panel'
import { renewFromOf } from '~/components/admin/customers/renew-dialog'
import { UserDialogs } from '~/components/admin/users/user-dialogs'
import { UsersActions } from './users-actions'
import { UsersSection } from './users-section'
import { ActionToast } from '~/components/ui/toasts'
import { StatCards } from '~/components/ui/stat-cards'
import { hasSecondFactor } from '~/domain/accounts/second-factor.server'
import { foreseeRenewal } from '~/domain/administration/changes/foresee-renewal.server'
import { findOnlineStats } from '~/domain/administration/overview/online.server'
import { countDeletable } from '~/domain/administration/users/delete-users.server'
import { countFailedSignIns } from '~/domain/administration/users/unlock-user.server'
import { userTableQuery } from '~/domain/administration/users/list-schemas'
import type { UserStats } from '~/domain/administration/types'
import { readUserSelection } from '~/domain/administration/users/user-selection'
import { getUserStats } from '~/domain/administration/users/user-stats.server'
import { findManagedUser, listUsers } from '~/domain/administration/users/users-query.server'
import { userTableAddress } from '~/domain/administration/users/user-list'
import { choicesOf } from '~/domain/providers.server'
import { getPoolSummary } from '~/domain/tokens/pool-health.server'
import { listPoolTokens } from '~/domain/tokens/pool.server'
import { userForms } from '~/http/actions/user-forms.server'
import { takeOnce } from '~/http/session/credentials-once.server'
import { handleForm } from '~/http/forms/forms.server'
import { newFormKey } from '~/http/forms/idempotency.server'
import { requireAdmin } from '~/http/session/guards.server'
import { poolForms } from '~/http/actions/pool-forms.server'
import { closedAddress, readDialog } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('User Management')

/** Number of pool tokens shown here. The tokens page lists all of them. */
const TOKENS_SHOWN = 5

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  const { searchParams } = new URL(request.url)
  const query = userTableQuery.parse(Object.fromEntries(searchParams))
  const saved = readUserSelection(searchParams)
  // A form brought the ticks of another page: from here on the address has them.
  if (searchParams.has('shown')) throw redirect(paths.admin.users + userTableAddress(query, saved))
  const dialog = readDialog(searchParams)
  const [
    online,
    stats,
    page,
    user,
    hasFactor,
    failedSignIns,
    renewal,
    deletable,
    once,
    pool,
    tokens,
  ] = await Promise.all([
    findOnlineStats(ctx),
    getUserStats(ctx),
    listUsers(ctx, query),
    findManagedUser(ctx, ctx.db, dialog.on),
    dialog.on !== null && hasSecondFactor(ctx.db, dialog.on),
    countFailedSignIns(ctx, dialog.on),
    foreseeRenewal(ctx, { id: dialog.on, from: renewFromOf(dialog.name) }),
    dialog.name === 'delete-all' ? countDeletable(ctx) : null,
    takeOnce(ctx, request),
    getPoolSummary(ctx),
    listPoolTokens(ctx, TOKENS_SHOWN),
  ])
  const { credentials, headers } = once
  return json(
    {
      online,
      stats,
      page,
      query,
      saved,
      user,
      deletable,
      credentials,
      dialog: dialog.name,
      pool,
      providers: choicesOf(ctx),
      tokens,
      hasSecondFactor: hasFactor,
      failedSignIns,
      renewal,
      formKey: newFormKey(),
    },
    { headers },
  )
}

export async function action(args: ActionFunctionArgs) {
  const { ctx, token } = requireAdmin(args)
  const { search } = new URL(args.request.url)
  const back = paths.admin.users + closedAddress(search)
  return handleForm(args, {
    ...userForms({ ctx, path: paths.admin.users, search, token }),
    ...poolForms(ctx, back),
  })
}

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

const STATS: { key: keyof UserStats; label: string; hint?: string }[] = [
  { key: 'total', label: 'Total Users' },
  { key: 'admins', label: 'Admins' },
  { key: 'editors', label: 'Editors' },
  { key: 'users', label: 'Users' },
  { key: 'active', label: 'Active' },
  { key: 'totalVideos', label: 'Total Videos', hint: 'this month' },
]

export default function UsersPage() {
  const { online, stats, page, query, saved, ...rest } = useLoaderData<typeof loader>()
  const { pool, tokens, providers, ...dialogs } = rest
  const failure = useActionData<typeof action>()
  return (
    <div className="flex flex-col gap-6">
      <ActionToast toast={failure?.toast} />
      <PageHeader title="User Management">
        <UsersActions />
      </PageHeader>
      {/* On a phone the users come first. */}
      <div className="space-y-6 max-md:order-last">
        <LiveCards online={online} />
        <StatCards
          label="Users"
          stats={STATS.map(({ key, ...card }) => ({ ...card, value: stats[key] }))}
        />
      </div>
      <UsersSection page={page} query={query} saved={saved} />
      <Fold label="Import users">
        <ImportPanel />
      </Fold>
      <Fold label="Assign tokens">
        <AssignPanel providers={providers} />
      </Fold>
      <Fold label="Token pool">
        <section aria-labelledby="pool-heading" className="space-y-4">
          <h2 id="pool-heading" className="text-base font-semibold">
            Extra Tokens Pool
          </h2>
          <TokenPoolPanel summary={pool} providers={providers} />
          <PoolTable tokens={tokens} summary={pool} />
        </section>
      </Fold>
      <div>
        <DialogLink dialog="delete-all" look="warning">
          <Icon name="trash-2" className="size-4" /> Delete All Users
        </DialogLink>
      </div>
      <TokenPoolDialogs tokens={tokens} total={pool.total} />
      <UserDialogs {...dialogs} total={stats.total} />
    </div>
  )
}

/** A panel below the table, which most visits do not need. Each has a page of its own as well. */
const Fold = ({ label, children }: { label: string; children: ReactNode }) => (
  <details className="group/fold">
    <summary className={buttonClass('plain', 'w-fit cursor-pointer')}>
      {label}
      <Icon
        name="chevron-down"
        className="size-4 transition-transform group-open/fold:rotate-180 motion-reduce:transition-none"
      />
    </summary>
    <div className="mt-3">{children}</div>
  </details>
)
