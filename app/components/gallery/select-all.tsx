import { Link } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { figure } from '~/lib/figures'
import { textLinkClass } from '../ui/text-link'
import { useHydrated } from '../ui/use-hydrated'
import { galleryAddress } from './address'
import { selectedBy, useGallery, useTicks } from './gallery-context'
import { isTicked } from './selection'

/**
 * Ticks all cards of the page, then offers all that match the filters, and shows how many are ticked.
 * Without scripts these are links.
 */
export function SelectAll({ label }: { label: string }) {
  const { page, search } = useGallery()
  const { selection, count, tickPage } = useTicks()
  const isHydrated = useHydrated()
  const box = useRef<HTMLInputElement>(null)
  const { videos, filters } = page
  const here = videos.filter((card) => isTicked(selection, card, filters)).length
  const isWhole = videos.length > 0 && here === videos.length
  useEffect(() => {
    if (box.current) box.current.indeterminate = here > 0 && !isWhole
  }, [here, isWhole])
  const asked = selectedBy(search)
  const linkTo = (select: string | null) =>
    galleryAddress(search, { page: page.pagination.page, select })
  return (
    // On a line of its own on phones, so that the changing text does not move the cards.
    <div data-box className="flex flex-wrap items-center gap-x-3 text-sm max-sm:w-full">
      {isHydrated ? (
        <label className="flex min-h-11 cursor-pointer items-center gap-2 md:min-h-9">
          <input
            ref={box}
            type="checkbox"
            checked={isWhole}
            onChange={(event) => tickPage(event.target.checked)}
            className="size-5"
          />
          {label}
        </label>
      ) : (
        <Link to={linkTo(asked === null ? 'page' : null)} className={`${textLinkClass} md:min-h-9`}>
          {asked === null ? label : 'Select none'}
        </Link>
      )}
      {count > 0 && (
        // On narrow screens the bar of actions shows it as well, and this line has room for no more.
        <span className={isHydrated ? 'text-soft max-sm:sr-only' : 'text-soft'} role="status">
          {figure(count)} selected
        </span>
      )}
      {page.pagination.totalPages > 1 && (
        <noscript className="text-soft">Your selection applies to this page only</noscript>
      )}
      {isWhole && <AllThatMatch linkTo={linkTo} />}
    </div>
  )
}

function AllThatMatch({ linkTo }: { linkTo: (select: string) => string }) {
  const { page, now } = useGallery()
  const { count, tickAll } = useTicks()
  const isHydrated = useHydrated()
  const { totalCount } = page.pagination
  if (now === null || count >= totalCount) return null
  const words = `Select all ${figure(totalCount)} that match`
  return isHydrated ? (
    <button type="button" onClick={() => tickAll(now)} className={`${textLinkClass} md:min-h-9`}>
      {words}
    </button>
  ) : (
    <Link to={linkTo(now)} className={`${textLinkClass} md:min-h-9`}>
      {words}
    </Link>
  )
}
