import type { Owner } from '~/domain/videos/platform-counts.server'
import type { GalleryFilters } from '~/domain/videos/types'
import { FilterForm } from '../ui/filter-form'
import { Field, SelectField } from '../ui/field'

type Props = { owners: { owners: Owner[]; hasMore: boolean }; filters: GalleryFilters }

/** Whose videos are shown: by part of a name, or one user's. */
export function OwnerFilter({ owners: { owners, hasMore }, filters }: Props) {
  const { status, aspectRatio, search, user = '' } = filters
  const options = owners.map(({ id, username, count }) => ({
    value: id,
    label: `${username} (${count})`,
  }))
  return (
    <div className="space-y-1">
      <FilterForm
        label="Users"
        key={`${search}:${user}`}
        className="grid sm:max-w-2xl sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]"
      >
        <Field
          type="search"
          name="search"
          label="Search by username"
          defaultValue={search}
          maxLength={100}
          autoComplete="off"
        />
        <SelectField
          name="user"
          label="User"
          defaultValue={user}
          options={[{ value: '', label: 'All users' }, ...options]}
        />
        {status !== 'all' && <input type="hidden" name="status" value={status} />}
        {aspectRatio !== 'all' && <input type="hidden" name="aspectRatio" value={aspectRatio} />}
      </FilterForm>
      {hasMore && (
        <p className="text-sm text-soft">
          The list holds the 100 users with the most videos. Search for others.
        </p>
      )}
    </div>
  )
}
