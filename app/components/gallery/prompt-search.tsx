import { Link } from '@remix-run/react'
import { VIDEO_LIMITS } from '~/domain/videos/rules'
import { HiddenFields } from '../ui/action-form'
import { FilterForm } from '../ui/filter-form'
import { Icon } from '../ui/icon'
import { SearchField } from '../ui/search-field'
import { galleryAddress } from './address'
import { useGallery } from './gallery-context'

/** Searches the user's own videos by part of the prompt. Keeps the other filters. */
export function PromptSearch() {
  const { page, search } = useGallery()
  const { filters, counts } = page
  if (counts.total === 0) return null
  const kept = new URLSearchParams(galleryAddress(search, { search: null }))
  return (
    // Beside the filters as long as the field stays readable there. Without scripts it also needs
    // room for its button.
    <div data-box className="flex-1 lg:max-w-sm basis-40 [@media(scripting:none)]:basis-56">
      <FilterForm
        label="Prompts"
        values={{ search: filters.search }}
        className="w-full"
        isDense
        button="Search"
      >
        <HiddenFields fields={Object.fromEntries(kept)} />
        <div className="min-w-[min(8rem,100%)] flex-1">
          <SearchField
            id="prompt-search"
            label="Search your prompts"
            placeholder="Search prompts"
            defaultValue={filters.search}
            maxLength={VIDEO_LIMITS.searchCharacters}
            isDense
            clear={filters.search !== '' && <ClearSearch />}
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
