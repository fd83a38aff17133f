import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { useActionData, useLoaderData, useLocation } from '@remix-run/react'
import { AssignPanel } from '~/components/admin/assign-panel'
import { BulkBar } from '~/components/admin/bulk-bar'
import { ImportPanel } from '~/components/admin/import-panel'
import { LiveCards } from '~/components/admin/live-cards'
import { UserDialogs } from '~/components/admin/user-dialogs'
import { UsersActions } from '~/components/admin/users-actions'
import { UsersFilters } from '~/components/admin/users-filters'
import { UsersTable } from '~/components/admin/users-table'
import { ActionToast } from '~/components/ui/action-toast'
import { PageBar } from '~/components/ui/page-bar'
import { StatCards } from '~/components/ui/stat-cards'
import { findOnlineStats } from '~/domain/activity/online.server'
import { countDeletable } from '~/domain/administration/delete-users.server'
import { userTableQuery } from '~/domain/administration/list-schemas'
import type { UserStats } from '~/domain/administration/types'
import { getUserStats } from '~/domain/administration/user-stats.server'
import { findManagedUser, listUsers } from '~/domain/administration/users-query.server'
import { userForms } from '~/http/admin-user-forms.server'
import { takeOnce } from '~/http/credentials-once.server'
import { handleForm } from '~/http/forms.server'
import { requireAdmin } from '~/http/guards.server'
import { readDialog } from '~/lib/dialog-address'
import { pageNeighbours } from '~/lib/page-window'
import { pageTitle } from '~/lib/title'

export const meta: MetaFunction = () => [{ title: pageTitle('User Management') }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  const { searchParams } = new URL(request.url)
  const query = userTableQuery.parse(Object.fromEntries(searchParams))
  const dialog = readDialog(searchParams)
  const [online, stats, page, user, deletable, once] = await Promise.all([
    findOnlineStats(ctx),
    getUserStats(ctx),
    listUsers(ctx, query),
    findManagedUser(ctx, dialog.on),
    dialog.name === 'delete-all' ? countDeletable(ctx) : null,
    takeOnce(ctx, request),
  ])
  const { credentials, headers } = once
  return json(
    { ...{ online, stats, page, query, user, deletable, credentials }, dialog: dialog.name },
    { headers },
  )
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  const { search } = new URL(request.url)
  return handleForm({ request, context }, userForms({ ctx, search }))
}

const STATS: { key: keyof UserStats; label: string; hint?: string }[] = [
  { key: 'total', label: 'Total Users' },
  { key: 'admins', label: 'Admins' },
  { key: 'editors', label: 'Editors' },
  { key: 'users', label: 'Users' },
  { key: 'active', label: 'Active' },
  { key: 'totalVideos', label: 'Total Videos', hint: 'this month' },
]

export default function UsersPage() {
  const { online, stats, page, query, ...dialogs } = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  const { search } = useLocation()
  const first = (page.page - 1) * page.limit
  return (
    <div className="space-y-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-lg font-semibold sm:text-xl">User Management</h1>
        <UsersActions />
      </div>
      <LiveCards online={online} />
      <StatCards
        label="Users"
        stats={STATS.map(({ key, ...card }) => ({ ...card, value: stats[key] }))}
      />
      <section aria-label="Users" className="space-y-4">
        <UsersFilters key={JSON.stringify(query)} query={query} />
        <p className="text-sm tabular-nums text-soft">
          {page.totalCount === 0
            ? 'Nobody'
            : `Showing ${first + 1}-${first + page.users.length} of ${page.totalCount} users`}
        </p>
        <UsersTable users={page.users} />
        <PageBar
          page={page.page}
          totalPages={page.totalPages}
          items={pageNeighbours(page.page, page.totalPages)}
          hrefOf={(to) => pageAddress(search, to)}
        />
        <BulkBar query={query} totalCount={page.totalCount} />
      </section>
      <ImportPanel />
      <AssignPanel />
      <UserDialogs {...dialogs} failure={failure ?? undefined} />
      <ActionToast toast={failure?.toast} />
    </div>
  )
}

function pageAddress(search: string, page: number): string {
  const next = new URLSearchParams(search)
  next.set('page', String(page))
  return `?${next}`
}
