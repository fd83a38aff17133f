import { galleryAddress } from '~/components/gallery/address'
import { useGallery } from '~/components/gallery/gallery-context'
import { HiddenFields } from '~/components/ui/action-form'
import { FilterForm, FilterSelect } from '~/components/ui/filter-form'
import { SearchField } from '~/components/ui/search-field'
import type { Owner } from '~/domain/videos/admin/all-videos-counts.server'
import { REASONS } from '~/domain/videos/types'
import { figure } from '~/lib/figures'
import { REASON_NAMES } from './all-videos-labels'

const REASON_OPTIONS = REASONS.map((value) => ({ value, label: REASON_NAMES[value] }))

type Props = { owners: { owners: Owner[]; hasMore: boolean } }

/** Filters by part of the prompt, by owner, and by the reason of a failure. */
export function OwnerFilter({ owners: { owners, hasMore } }: Props) {
  const { page, search } = useGallery()
  const { words = '', user = '', reason = '' } = page.filters
  const kept = new URLSearchParams(
    galleryAddress(search, { words: null, user: null, reason: null }),
  )
  const options = owners.map(({ id, username, count }) => ({
    value: id,
    label: `${username} (${figure(count)})`,
  }))
  return (
    <FilterForm label="Users" values={{ words, user, reason }} className="grid content-start">
      <HiddenFields fields={Object.fromEntries(kept)} />
      <SearchField
        id="words"
        name="words"
        label="Search by prompt"
        defaultValue={words}
        maxLength={100}
      />
      <FilterSelect
        name="user"
        label="User"
        defaultValue={user}
        options={[{ value: '', label: 'All users' }, ...options]}
      />
      {hasMore && (
        <p className="text-sm text-soft">
          The list holds the 100 users with the most videos. Search for others.
        </p>
      )}
      <FilterSelect
        name="reason"
        label="Failed because"
        defaultValue={reason}
        options={[{ value: '', label: 'Any reason' }, ...REASON_OPTIONS]}
      />
    </FilterForm>
  )
}
