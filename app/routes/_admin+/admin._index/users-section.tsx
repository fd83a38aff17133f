import type { UserTableQuery } from '~/domain/administration/users/list-schemas'
import { userTableAddress } from '~/domain/administration/users/user-list'
import type { UserPage } from '~/domain/administration/types'
import type { UserSelection } from '~/domain/administration/users/user-selection'
import { pageNeighbours } from '~/lib/page-window'
import { paths } from '~/lib/paths'
import { figure } from '~/lib/figures'
import { PageBar } from '~/components/ui/page-bar'
import { BulkBar } from '~/components/admin/users/bulk-bar'
import { UsersFilters } from './users-filters'
import { boxesOf, SelectUsers, useSelection } from '~/components/admin/users/users-selection'
import { SELECTION_FORM, UsersTable } from '~/components/admin/users/users-table'

type Props = { page: UserPage; query: UserTableQuery; saved: UserSelection }

/** The users: search, selection, and changes of one or many users. */
export function UsersSection({ page, query, saved }: Props) {
  const { users, totalCount } = page
  const shown = boxesOf(users)
  const { base, selection, choose } = useSelection(saved, shown)
  const first = (page.page - 1) * page.limit
  return (
    <>
      <section aria-label="Users" className="space-y-4">
        <UsersFilters query={query} />
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <p role="status" className="text-sm tabular-nums text-soft">
            {totalCount === 0
              ? 'No users'
              : `Showing ${first + 1}-${first + users.length} of ${figure(totalCount)} users`}
          </p>
          <SelectUsers query={query} selection={selection} choose={choose} shown={shown} />
        </div>
        {/* Another selection in the address ticks other boxes: the rows are made again. */}
        <UsersTable key={`${saved.scope} ${saved.picked.join()}`} users={users} saved={saved} />
        <PageBar
          page={page.page}
          totalPages={page.totalPages}
          items={pageNeighbours(page.page, page.totalPages)}
          hrefOf={(to) => userTableAddress({ ...query, page: to }, selection)}
          carrying={{ form: SELECTION_FORM, action: paths.admin.users }}
        />
      </section>
      {/* Outside the section, so that it is in sight also above it. */}
      {totalCount > 0 && <BulkBar query={query} saved={base} shown={shown} selection={selection} />}
    </>
  )
}
