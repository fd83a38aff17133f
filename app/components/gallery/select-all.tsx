import { Link } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { figure } from '~/lib/figures'
import { textLinkClass } from '../ui/text-link'
import { useHydrated } from '../ui/use-hydrated'
import { galleryAddress } from './address'
import { isAllSelected, useGallery } from './gallery-context'

/** Ticks all cards of the page and shows how many are ticked. Without scripts it is a link. */
export function SelectAll({ label }: { label: string }) {
  const { page, search, selected, select } = useGallery()
  const isHydrated = useHydrated()
  const box = useRef<HTMLInputElement>(null)
  const count = page.videos.length
  const isWhole = count > 0 && selected.length === count
  useEffect(() => {
    if (box.current) box.current.indeterminate = selected.length > 0 && !isWhole
  }, [selected, isWhole])
  if (count === 0) return null
  const isAll = isAllSelected(search)
  const toggle = galleryAddress(search, {
    page: page.pagination.page,
    select: isAll ? null : 'page',
  })
  return (
    // On a line of its own on phones, so that the changing text does not move the cards.
    <div data-box className="flex items-center gap-3 text-sm max-sm:w-full">
      {isHydrated ? (
        <label className="flex min-h-11 cursor-pointer items-center gap-2 md:min-h-9">
          <input
            ref={box}
            type="checkbox"
            checked={isWhole}
            onChange={(event) => select(event.target.checked)}
            className="size-5"
          />
          {label}
        </label>
      ) : (
        <Link to={toggle} className={`${textLinkClass} md:min-h-9`}>
          {isAll ? 'Select none' : label}
        </Link>
      )}
      {selected.length > 0 && (
        <span className="tabular-nums text-soft" role="status">
          {figure(selected.length)} selected
        </span>
      )}
    </div>
  )
}
