import type { ReactNode } from 'react'
import type { Owner } from '~/domain/videos/admin/all-videos-counts.server'
import { REASONS, type FilterValues } from '~/domain/videos/types'
import { figure } from '~/lib/figures'
import { FilterForm, FilterSelect } from '../../ui/filter-form'
import { FiltersFold } from '../../ui/phone-fold'
import { SearchField } from '../../ui/search-field'
import { REASON_NAMES } from './all-videos-labels'

const REASON_OPTIONS = REASONS.map((value) => ({ value, label: REASON_NAMES[value] }))

type Props = {
  owners: { owners: Owner[]; hasMore: boolean }
  filters: FilterValues
  /** The filters that are links. */
  children: ReactNode
}

/** Filters by owner, by part of the username or as one user, by part of the prompt, and by reason. */
export function OwnerFilter({ owners: { owners, hasMore }, filters, children }: Props) {
  const { status, aspectRatio, search, words = '', user = '', reason = '' } = filters
  const { days, first, last, since } = filters
  const kept = { status, aspectRatio, days, first, last, since }
  const options = owners.map(({ id, username, count }) => ({
    value: id,
    label: `${username} (${figure(count)})`,
  }))
  return (
    <FilterForm
      label="Users"
      values={{ search, words, user, reason }}
      className="grid basis-full grid-cols-2 lg:grid-cols-[repeat(4,minmax(0,16rem))_1fr] sm:*:justify-self-start"
    >
      <div className="w-full max-sm:col-span-2">
        <SearchField label="Search by username" defaultValue={search} maxLength={100} />
      </div>
      <FiltersFold
        chosen={[user, words, reason].map(Boolean).concat(status !== 'all', aspectRatio !== 'all')}
      >
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
        <div className="w-full space-y-1">
          <FilterSelect
            name="reason"
            label="Failed because"
            defaultValue={reason}
            options={[{ value: '', label: 'Any reason' }, ...REASON_OPTIONS]}
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
      {Object.entries(kept).map(([name, value]) =>
        value === undefined || value === 'all' ? null : (
          <input key={name} type="hidden" name={name} value={value} />
        ),
      )}
    </FilterForm>
  )
}
