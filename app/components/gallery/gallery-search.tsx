import { Link } from '@remix-run/react'
import { HiddenFields } from '../ui/action-form'
import { FilterForm } from '../ui/filter-form'
import { Icon } from '../ui/icon'
import { SearchField } from '../ui/search-field'
import { galleryAddress } from './address'
import { useGallery } from './gallery-context'

type Props = {
  /** What is searched, as the name of the form. */
  list: string
  label: string
  placeholder: string
  maxLength: number
}

/** The search of a gallery's toolbar. Keeps the filters. On phones it is an icon until it is used. */
export function GallerySearch({ list, ...field }: Props) {
  const { page, search } = useGallery()
  const { filters } = page
  const kept = new URLSearchParams(galleryAddress(search, { search: null }))
  return (
    <div data-box className="gallery-search">
      <FilterForm
        label={list}
        values={{ search: filters.search }}
        className="w-full"
        isDense
        button="Search"
      >
        <HiddenFields fields={Object.fromEntries(kept)} />
        <div className="min-w-0 flex-1">
          <SearchField
            id="gallery-search"
            defaultValue={filters.search}
            isDense
            clear={filters.search !== '' && <ClearSearch />}
            {...field}
          />
        </div>
      </FilterForm>
    </div>
  )
}

function ClearSearch() {
  const { search } = useGallery()
  return (
    <Link
      to={galleryAddress(search, { search: null })}
      preventScrollReset
      aria-label="Clear search"
      className="absolute inset-y-0 right-0 flex w-11 items-center justify-center text-soft hover:text-ink"
    >
      <Icon name="x" className="size-4" />
    </Link>
  )
}
