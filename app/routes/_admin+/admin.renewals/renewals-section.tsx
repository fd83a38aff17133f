import { useRevalidator } from '@remix-run/react'
import type { DeskRow } from '~/domain/administration/customers/desk.server'
import {
  DESK_LISTS,
  type DeskList,
  type DeskQuery,
} from '~/domain/administration/users/list-schemas'
import type { UserPage } from '~/domain/administration/types'
import { userTableAddress } from '~/domain/administration/users/user-list'
import { isTicked, type UserSelection } from '~/domain/administration/users/user-selection'
import { pageNeighbours } from '~/lib/page-window'
import { paths } from '~/lib/paths'
import { EmptyState } from '~/components/ui/empty-state'
import { FilterGroup } from '~/components/ui/filter-group'
import { FilterForm } from '~/components/ui/filter-form'
import { PageBar } from '~/components/ui/page-bar'
import { SearchField } from '~/components/ui/search-field'
import { useReturn } from '~/components/ui/use-return'
import { BulkBar } from '~/components/admin/users/bulk-bar'
import { RenewalsTable } from '~/components/admin/customers/renewals-table'
import { boxesOf, SelectUsers, useSelection } from '~/components/admin/users/users-selection'
import { SELECTION_FORM } from '~/components/admin/users/users-table'

const LIST_NAMES = {
  'ending-today': 'Today',
  expiring: '3 days',
  'expiring-week': '7 days',
  'expired-lately': 'Expired 1–14 days',
  'never-used': 'Never used',
  'over-80': 'Over 80 % of quota',
} as const satisfies Record<DeskList, string>

type Props = {
  query: DeskQuery
  saved: UserSelection
  counts: Record<DeskList, number>
  page: Omit<UserPage, 'users'> & { users: DeskRow[] }
}

/** The lists of the renewal desk, and the renewal of one or many customers. */
export function RenewalsSection({ query, saved, counts, page }: Props) {
  const shown = boxesOf(page.users)
  const { base, selection, choose } = useSelection(saved, shown)
  // The chats open in other tabs, and note there that the customer was written to.
  useReturn(useRevalidator().revalidate)
  const { search, filter } = query
  return (
    <>
      <section aria-label="Customers" className="space-y-4">
        <Lists query={query} counts={counts} />
        <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
          <FilterForm label="Find customers" values={{ search }} button="Search">
            <input type="hidden" name="filter" value={filter} />
            <SearchField label="Search" placeholder="Name, phone, e-mail" defaultValue={search} />
          </FilterForm>
          <SelectUsers query={query} selection={selection} choose={choose} shown={shown} />
        </div>
        {page.users.length === 0 ? (
          <EmptyState text="Nobody is on this list" />
        ) : (
          <RenewalsTable
            key={`${saved.scope} ${saved.picked.join()}`}
            users={page.users}
            list={filter}
            isTicked={(id) => isTicked(saved, id)}
          />
        )}
        <PageBar
          page={page.page}
          totalPages={page.totalPages}
          items={pageNeighbours(page.page, page.totalPages)}
          hrefOf={(to) => userTableAddress({ ...query, page: to }, selection)}
          carrying={{ form: SELECTION_FORM, action: paths.admin.renewals }}
        />
      </section>
      {page.totalCount > 0 && (
        <BulkBar query={query} saved={base} shown={shown} selection={selection} initial="renew" />
      )}
    </>
  )
}

function Lists({ query, counts }: Pick<Props, 'query' | 'counts'>) {
  return (
    <FilterGroup
      label="List"
      choices={DESK_LISTS.map((list) => ({
        label: LIST_NAMES[list],
        count: counts[list],
        isCurrent: query.filter === list,
        to: userTableAddress({ search: query.search, filter: list }),
      }))}
    />
  )
}
