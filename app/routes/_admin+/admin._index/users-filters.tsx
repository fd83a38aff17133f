import type { UserTableQuery } from '~/domain/administration/users/list-schemas'
import { PLAN_FILTERS } from '~/domain/administration/users/user-list'
import { FilterForm, FilterSelect } from '~/components/ui/filter-form'
import { FiltersFold } from '~/components/ui/phone-fold'
import { SearchField } from '~/components/ui/search-field'

const FILTER_NAMES = {
  'ending-today': 'Ending today',
  expiring: 'Expiring in 3 days',
  'expiring-week': 'Expiring in a week',
  'expired-lately': 'Expired in the last 14 days',
  expired: 'Expired',
  inactive: 'Inactive',
  'over-80': 'Over 80 % used today',
  'never-used': 'Never used',
} as const

const options = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }))

const ROLES = options({ all: 'All roles', admin: 'Admin', editor: 'Editor', user: 'User' })
const STATUS = options({ all: 'All', active: 'Active', inactive: 'Inactive' })
const FILTERS = [{ value: '', label: 'All users' }, ...options(FILTER_NAMES)]
const PLANS = [
  { value: '', label: 'All plans' },
  ...PLAN_FILTERS.map((value) => ({ value, label: value === 'none' ? 'No plan' : value })),
]
const SORTS = options({
  created: 'Newest',
  username: 'Username',
  role: 'Role',
  videos: 'Most videos',
  quota: 'Largest quota',
  expiry: 'Fewest days left',
})

/** Search, filters and sort order of the users, stored in the URL. */
export function UsersFilters({ query }: { query: UserTableQuery }) {
  const { search, role, status, filter = '', onPlan = '', sort } = query
  const chosen = [
    role !== 'all',
    status !== 'all',
    filter !== '',
    onPlan !== '',
    sort !== 'created',
  ]
  return (
    <FilterForm
      label="Find users"
      values={{ search, role, status, filter, onPlan, sort }}
      className="grid grid-cols-2 xl:grid-cols-[minmax(0,1fr)_7rem_6.5rem_10.5rem_8.5rem_9rem_auto]"
    >
      <div className="col-span-2 xl:col-span-1">
        <SearchField label="Search" placeholder="Name, phone, e-mail" defaultValue={search} />
      </div>
      <FiltersFold chosen={chosen}>
        <div className="grid grid-cols-2 gap-3 sm:contents">
          <FilterSelect name="role" label="Role" options={ROLES} defaultValue={role} />
          <FilterSelect name="status" label="Status" options={STATUS} defaultValue={status} />
          <div className="max-sm:col-span-2">
            <FilterSelect name="filter" label="Show" options={FILTERS} defaultValue={filter} />
          </div>
          <FilterSelect name="onPlan" label="Plan" options={PLANS} defaultValue={onPlan} />
          <div>
            <FilterSelect name="sort" label="Order" options={SORTS} defaultValue={sort} />
          </div>
        </div>
      </FiltersFold>
    </FilterForm>
  )
}
