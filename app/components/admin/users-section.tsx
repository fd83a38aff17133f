import { useLocation } from '@remix-run/react'
import { useState } from 'react'
import type { UserTableQuery } from '~/domain/administration/list-schemas'
import type { UserPage } from '~/domain/administration/types'
import { pageAddress } from '~/lib/page-address'
import { pageNeighbours } from '~/lib/page-window'
import { figure } from '~/lib/figures'
import { PageBar } from '../ui/page-bar'
import { BulkBar, type Scope } from './bulk-bar'
import { UsersFilters } from './users-filters'
import { readSelection, SelectUsers } from './users-selection'
import { UsersTable } from './users-table'

type Props = { page: UserPage; query: UserTableQuery; formKey: string }

/** The users: search, selection, and changes of one or many users. */
export function UsersSection({ page, query, formKey }: Props) {
  const { search } = useLocation()
  const selection = readSelection(search)
  const [scope, setScope] = useState<Scope>(selection === 'filter' ? 'filter' : 'chosen')
  const [isOpen, setOpen] = useState(selection !== null)
  const choose = (next: Scope) => {
    setScope(next)
    setOpen(true)
  }
  const { users, totalCount } = page
  const first = (page.page - 1) * page.limit
  return (
    <section aria-label="Users" className="space-y-4">
      <UsersFilters query={query} />
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <p role="status" className="text-sm tabular-nums text-soft">
          {totalCount === 0
            ? 'No users'
            : `Showing ${first + 1}-${first + users.length} of ${figure(totalCount)} users`}
        </p>
        <SelectUsers shown={users.length} onScope={choose} />
      </div>
      <UsersTable users={users} isTicked={selection !== null} formKey={formKey} />
      <PageBar
        page={page.page}
        totalPages={page.totalPages}
        items={pageNeighbours(page.page, page.totalPages)}
        hrefOf={(to) => pageAddress(search, to)}
      />
      {totalCount > 0 && <BulkBar query={query} scope={scope} isOpen={isOpen} onScope={choose} />}
    </section>
  )
}
