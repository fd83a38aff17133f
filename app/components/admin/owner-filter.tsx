import type { ReactNode } from 'react'
import type { Owner } from '~/domain/videos/admin/all-videos-counts.server'
import type { FilterValues } from '~/domain/videos/types'
import { figure } from '~/lib/figures'
import { FilterForm, FilterSelect } from '../ui/filter-form'
import { FiltersFold } from '../ui/phone-fold'
import { SearchField } from '../ui/search-field'

type Props = {
  owners: { owners: Owner[]; hasMore: boolean }
  filters: FilterValues
  /** The filters that are links. */
  children: ReactNode
}

/** Filters by owner, by part of the username or as one user, and by part of the prompt. */
export function OwnerFilter({ owners: { owners, hasMore }, filters, children }: Props) {
  const { status, aspectRatio, search, words = '', user = '' } = filters
  const options = owners.map(({ id, username, count }) => ({
    value: id,
    label: `${username} (${figure(count)})`,
  }))
  return (
    <FilterForm
      label="Users"
      values={{ search, words, user }}
      className="grid grid-cols-2 basis-full sm:grid-cols-[repeat(3,minmax(0,16rem))_1fr] sm:*:justify-self-start"
    >
      <div className="col-span-2 w-full sm:col-span-1">
        <SearchField label="Search by username" defaultValue={search} maxLength={100} />
      </div>
      <FiltersFold chosen={[user !== '', words !== '', status !== 'all', aspectRatio !== 'all']}>
        <div className="w-full">
          <SearchField
            id="words"
            name="words"
            label="Search by prompt"
            defaultValue={words}
            maxLength={100}
          />
        </div>
        <div className="w-full space-y-1">
          <FilterSelect
            name="user"
            label="User"
            defaultValue={user}
            options={[{ value: '', label: 'All users' }, ...options]}
          />
        </div>
        {/* On wide screens these come after the button. */}
        <div className="max-sm:mt-3 sm:order-last sm:col-span-full">
          {hasMore && (
            <p className="pb-3 text-sm text-soft">
              The list holds the 100 users with the most videos. Search for others.
            </p>
          )}
          {children}
        </div>
      </FiltersFold>
      {status !== 'all' && <input type="hidden" name="status" value={status} />}
      {aspectRatio !== 'all' && <input type="hidden" name="aspectRatio" value={aspectRatio} />}
    </FilterForm>
  )
}
