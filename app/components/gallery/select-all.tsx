import { Link } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import type { GalleryPage } from '~/domain/videos/types'
import { figure } from '~/lib/figures'
import { textLinkClass } from '../ui/text-link'
import { useHydrated } from '../ui/use-hydrated'
import { galleryAddress } from './address'
import { selectedBy, useGallery, useTicks } from './gallery-context'
import { isTicked } from './selection'

const LABELS = { mine: 'Select All', all: 'Select all on page' } as const

/**
 * Ticks all cards of the page, or all that match the filters. Without scripts these are links. Renders
 * nothing without cards.
 */
export function SelectAll() {
  const { page, search, scope } = useGallery()
  const { tickPage } = useTicks()
  const here = useTickedHere()
  const isHydrated = useHydrated()
  const box = useRef<HTMLInputElement>(null)
  const isWhole = here === page.videos.length
  useEffect(() => {
    if (box.current) box.current.indeterminate = here > 0 && !isWhole
  }, [here, isWhole])
  if (page.videos.length === 0) return null
  const asked = selectedBy(search)
  const label = LABELS[scope]
  return (
    <>
      <div data-box>
        {isHydrated ? (
          <label className="btn cursor-pointer">
            <input
              ref={box}
              type="checkbox"
              checked={isWhole}
              onChange={(event) => tickPage(event.target.checked)}
              className="size-4"
            />
            {label}
          </label>
        ) : (
          <Link
            to={linkTo(search, { page, select: asked === null ? 'page' : null })}
            className="btn"
          >
            {asked === null ? label : 'Select none'}
          </Link>
        )}
      </div>
      {page.pagination.totalPages > 1 && <AllThatMatch className="btn" />}
    </>
  )
}

/** How many videos are ticked; if it is the whole page, offers all that match the filters. */
export function TickedCount() {
  const { page } = useGallery()
  const { count } = useTicks()
  const here = useTickedHere()
  const isWhole = page.videos.length > 0 && here === page.videos.length
  return (
    <>
      {count > 0 && (
        <span className="font-semibold tabular-nums" role="status">
          {figure(count)} selected
        </span>
      )}
      {page.pagination.totalPages > 1 && (
        <noscript className="text-soft">Your selection applies to this page only</noscript>
      )}
      {isWhole && <AllThatMatch className={`${textLinkClass} md:min-h-9`} />}
    </>
  )
}

/** Returns how many cards of the page are ticked. */
function useTickedHere(): number {
  const { page } = useGallery()
  const { selection } = useTicks()
  return page.videos.filter((card) => isTicked(selection, card, page.filters)).length
}

type Chosen = { page: GalleryPage; select: string | null }

const linkTo = (search: string, { page, select }: Chosen) =>
  galleryAddress(search, { page: page.pagination.page, select })

function AllThatMatch({ className }: { className: string }) {
  const { page, now, search } = useGallery()
  const { count, tickAll } = useTicks()
  const isHydrated = useHydrated()
  const { totalCount } = page.pagination
  if (now === null || count >= totalCount) return null
  const words = `Select all ${figure(totalCount)} that match`
  return isHydrated ? (
    <button type="button" onClick={() => tickAll(now)} className={className}>
      {words}
    </button>
  ) : (
    <Link to={linkTo(search, { page, select: now })} className={className}>
      {words}
    </Link>
  )
}
