import { Link } from '@remix-run/react'
import { Search } from 'lucide-react'
import { VIDEO_LIMITS } from '~/domain/videos/rules'
import { inputClass } from '../ui/field'
import { FilterForm } from '../ui/filter-form'
import { galleryAddress } from './address'
import { useGallery } from './gallery-context'

/** Finds one's own videos by part of their prompts; keeps the other filters. */
export function PromptSearch() {
  const { page, search } = useGallery()
  const { filters, counts } = page
  if (counts.total === 0) return null
  const kept = [...new URLSearchParams(galleryAddress(search, { search: null }))]
  return (
    // Beside the filters as long as they leave it room to be read; without scripts for its button too.
    <div
      data-box
      className="w-full sm:w-auto sm:max-w-sm sm:flex-1 sm:basis-40 [@media(scripting:none)]:sm:basis-64"
    >
      <FilterForm
        label="Prompts"
        values={{ search: filters.search }}
        className="w-full"
        isDense
        after={<ClearSearch />}
      >
        {kept.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <div className="relative min-w-40 flex-1">
          <label htmlFor="prompt-search" className="sr-only">
            Search your prompts
          </label>
          <Search
            aria-hidden
            className="absolute left-3 top-1/2 size-4 -translate-y-1/2 text-soft"
          />
          <input
            id="prompt-search"
            type="search"
            name="search"
            defaultValue={filters.search}
            maxLength={VIDEO_LIMITS.searchCharacters}
            placeholder="Search prompts"
            autoComplete="off"
            className={`${inputClass} !pl-9 md:!py-1.5 md:!text-sm`}
          />
        </div>
      </FilterForm>
    </div>
  )
}

function ClearSearch() {
  const { page, search } = useGallery()
  if (page.filters.search === '') return null
  return (
    <Link
      to={galleryAddress(search, { search: null })}
      preventScrollReset
      className="inline-flex min-h-11 items-center text-sm underline underline-offset-4 md:min-h-9"
    >
      Clear search
    </Link>
  )
}
