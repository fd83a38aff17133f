import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { useActionData, useLoaderData, useLocation } from '@remix-run/react'
import { z } from 'zod'
import { PageHeader } from '~/components/admin/page-header'
import { ActionForm } from '~/components/ui/action-form'
import { ActionToast } from '~/components/ui/toasts'
import { Button } from '~/components/ui/button'
import { DataCell, DataRow, DataTable } from '~/components/ui/data-table'
import { EmptyState } from '~/components/ui/empty-state'
import { FilterForm } from '~/components/ui/filter-form'
import { PageBar } from '~/components/ui/page-bar'
import { SearchField } from '~/components/ui/search-field'
import { usePlatformZone } from '~/components/ui/use-root-data'
import { listTrashedUsers, restoreUser } from '~/domain/administration/users/user-trash.server'
import { form, handleForm } from '~/http/forms/forms.server'
import { requireAdmin } from '~/http/session/guards.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { pageNeighbours } from '~/lib/page-window'
import { paths } from '~/lib/paths'
import { dayAndTime } from '~/lib/time'
import { pageMeta } from '~/lib/title'
import { isCleanText } from '~/lib/text'
import { plainWhole } from '~/lib/fields'

export const meta: MetaFunction = () => pageMeta('Deleted users')

const trashQuery = z.object({
  page: plainWhole(1, 1e6).catch(1),
  search: z.string().max(200).refine(isCleanText).catch(''),
})

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  const query = trashQuery.parse(Object.fromEntries(new URL(request.url).searchParams))
  return json({ ...(await listTrashedUsers(ctx, query)), query })
}

export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireAdmin(args)
  return handleForm(args, {
    restore: form('Failed to restore the user', z.object({ id: z.string() }), async ({ id }) => {
      const username = await restoreUser(ctx, id)
      const toast = { kind: 'success', title: 'User restored', description: username } as const
      return redirectWithToast(paths.admin.userTrash, toast)
    }),
  })
}

const COLUMNS = ['Username', 'Role', 'Videos', 'Deleted', 'Gone for good', 'Actions']

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

export default function UserTrashPage() {
  const { users, query, totalPages } = useLoaderData<typeof loader>()
  const timeZone = usePlatformZone()
  const failure = useActionData<typeof action>()
  const { search } = useLocation()
  return (
    <div className="space-y-4">
      <ActionToast toast={failure?.toast} />
      <PageHeader
        title="Deleted users"
        note={`Kept for 7 days, with their videos and files. Times are ${timeZone}.`}
      />
      <FilterForm
        label="Find deleted users"
        values={{ search: query.search }}
        className="grid sm:flex"
        button="Search"
      >
        <SearchField label="Username begins with" defaultValue={query.search} />
      </FilterForm>
      {users.length === 0 ? (
        <EmptyState text={query.search === '' ? 'No deleted users.' : 'No deleted users match.'} />
      ) : (
        <DataTable caption="Deleted users" columns={COLUMNS}>
          {users.map((user) => (
            <DataRow key={user.id}>
              <DataCell place="name" className="font-medium">
                {user.username}
              </DataCell>
              <DataCell>{user.role}</DataCell>
              <DataCell label="Videos">{user.videos}</DataCell>
              <DataCell label="Deleted">{dayAndTime(user.deletedAt, timeZone)}</DataCell>
              <DataCell label="Gone for good">{dayAndTime(user.goneAt, timeZone)}</DataCell>
              <DataCell place="end">
                <ActionForm intent="restore">
                  <input type="hidden" name="id" value={user.id} />
                  <Button look="plain" aria-label={`Restore ${user.username}`}>
                    Restore
                  </Button>
                </ActionForm>
              </DataCell>
            </DataRow>
          ))}
        </DataTable>
      )}
      <PageBar
        page={query.page}
        totalPages={totalPages}
        items={pageNeighbours(query.page, totalPages)}
        hrefOf={(page) => pageAddress(search, page)}
      />
    </div>
  )
}

/** Returns the query of another page of the same list. */
function pageAddress(search: string, page: number): string {
  const next = new URLSearchParams(search)
  next.set('page', String(page))
  return `?${next}`
}
