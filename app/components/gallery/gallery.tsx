import { Link, useLocation, useNavigation } from '@remix-run/react'
import { useEffect, type ReactNode } from 'react'
import { isSought } from '~/domain/videos/rules'
import { pageWindow, type PageItem } from '~/lib/page-window'
import { REACHED } from '~/lib/call-api'
import { HiddenFields } from '../ui/action-form'
import { EmptyState } from '../ui/empty-state'
import { PageBar } from '../ui/page-bar'
import { textLinkClass } from '../ui/text-link'
import { galleryAddress, isOtherPage, NO_FILTER } from './address'
import { GalleryRows, StripForms, useGalleryRows } from './batch-head'
import { CHOSEN_FORM } from './bulk-actions'
import { actionsOf, PressedForms } from './card-actions'
import { useIsMixed } from './use-is-mixed'
import { playOnHover } from './hover-clips'
import { useGallery, useTicks } from './gallery-context'
import { useKeptFocus } from '../ui/use-kept-focus'
import { NewVideos } from './new-videos'
import { SelectionBar } from './selection-bar'
import { Toolbar, type Tools } from './toolbar'
import { VideoCard } from './video-card'
import { useElementId } from '../ui/use-element-id'

type Props = {
  title: string
  tools: Tools
  /** Further actions of administrators on the ticked videos. */
  ofTicked?: ReactNode
  /** Shown if there are no videos at all. */
  emptyText: string
  /** Shown with `emptyText`, for example a link to the create screen. */
  emptyAction?: ReactNode
  /** Shown instead of 'Showing a-b of n videos' if there are none. */
  noneText?: string
  /** The items of the page bar. */
  pageItems?: (page: number, totalPages: number) => PageItem[]
  /** Returns the URL of a page, if it needs more than the page number. */
  hrefOf?: (page: number) => string
  /** The last poll failed. */
  isFailing?: boolean
}

/**
 * A page of videos with its filters, buttons and page bar: the same for a user's own videos and for
 * all users'. Must be inside a GalleryProvider. One form contains the cards' checkboxes, so that the
 * buttons work without scripts.
 */
export function Gallery({ title, tools, ofTicked, isFailing = false, ...rest }: Props) {
  const { page, form } = useGallery()
  const { count } = useTicks()
  const headingId = useElementId()
  const keptFocus = useKeptFocus(page.videos, { card: 'article', target: 'a' })
  const { emptyText, emptyAction } = rest
  return (
    <section
      {...keptFocus}
      id="gallery"
      aria-labelledby={headingId}
      className="space-y-3 max-sm:space-y-2 md:scroll-mt-20"
    >
      <Toolbar tools={tools} headingId={headingId} title={title} noneText={rest.noneText} />
      {(page.isMissing || isFailing) && <Failure />}
      {!page.isMissing && (
        <form
          ref={form}
          id={CHOSEN_FORM}
          method="get"
          data-picked={count > 0 || undefined}
          className="gallery-form"
        >
          <HiddenFilters />
          <SelectionBar more={ofTicked} />
          <NewVideos />
          <Cards emptyText={emptyText} emptyAction={emptyAction} />
        </form>
      )}
      <StripForms />
      <PressedForms />
      <Pages pageItems={rest.pageItems ?? pageWindow} hrefOf={rest.hrefOf} />
    </section>
  )
}

/**
 * What the form sends besides the checkboxes: its page, so that without scripts the user returns to
 * it.
 */
function HiddenFilters() {
  const { page, search, scope } = useGallery()
  const { pathname } = useLocation()
  const own = galleryAddress(search, { page: page.pagination.page })
  const kept = Object.fromEntries(new URLSearchParams(own))
  const { selection } = useTicks()
  const all = selection.kind === 'all' ? { all: selection.until } : {}
  return <HiddenFields fields={{ scope, from: pathname + own, ...kept, ...all }} />
}

function Cards({ emptyText, emptyAction }: Pick<Props, 'emptyText' | 'emptyAction'>) {
  const { page, search } = useGallery()
  const isMixed = useIsMixed(page)
  const rows = useGalleryRows()
  const isReplaced = useReplaced()
  const { videos, counts, filters } = page
  // A search narrows the counts as well, and all videos of a batch may have been deleted.
  // An empty collection is not a search without results.
  const isSearched = isSought({ ...filters, collection: undefined }) || filters.user !== undefined
  const isNarrowed = filters.status !== 'all' || filters.aspectRatio !== 'all' || isSearched
  if (rows.length === 0) {
    const isFiltered = isNarrowed && (counts.total > 0 || isSearched)
    if (!isFiltered) return <EmptyState text={emptyText}>{emptyAction}</EmptyState>
    const all = galleryAddress(search, NO_FILTER)
    return (
      <EmptyState text="No videos match these filters.">
        <Link to={all} preventScrollReset className="underline underline-offset-4">
          Show all videos
        </Link>
      </EmptyState>
    )
  }
  const firstPicture = videos.find(({ thumbnailUrl }) => thumbnailUrl !== null)?.id
  return (
    <div
      className="cards-room"
      aria-busy={isReplaced || undefined}
      {...(isReplaced && { inert: '' })}
    >
      <ul className={isMixed ? 'cards cards-mixed' : 'cards'} {...playOnHover}>
        <GalleryRows
          rows={rows}
          cardOf={(card) => (
            <VideoCard card={card} actions={actionsOf(card)} isFirst={card.id === firstPicture} />
          )}
        />
      </ul>
    </div>
  )
}

/** Returns whether another page of the list, or a filter, is being read: a tick would mean a card that is about to go. */
function useReplaced(): boolean {
  const { pathname, search } = useLocation()
  const { state, location } = useNavigation()
  if (state !== 'loading' || location.pathname !== pathname) return false
  return isOtherPage(search, location.search)
}

/**
 * The list could not be read. Tells the user that the videos are safe and offers to try again. Does
 * so itself once the network is back: a page without work under way sends no requests of its own.
 */
function Failure() {
  const { search, refresh } = useGallery()
  useEffect(() => {
    let isReading = false
    const retry = () => {
      if (isReading) return
      isReading = true
      void Promise.resolve(refresh()).finally(() => (isReading = false))
    }
    const events = ['online', REACHED]
    for (const event of events) addEventListener(event, retry)
    return () => events.forEach((event) => removeEventListener(event, retry))
  }, [refresh])
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-4 gap-y-1 rounded-lg border border-bad p-4 text-sm"
    >
      <p className="font-semibold text-bad">Failed to fetch videos</p>
      <p className="text-soft">Your videos are safe; only the list could not be read.</p>
      <Link to={galleryAddress(search, {})} reloadDocument className={textLinkClass}>
        Try again
      </Link>
    </div>
  )
}

type PagesProps = {
  pageItems: NonNullable<Props['pageItems']>
  hrefOf: Props['hrefOf'] | undefined
}

function Pages({ pageItems, hrefOf }: PagesProps) {
  const { page, search } = useGallery()
  const { page: current, totalPages } = page.pagination
  return (
    <PageBar
      page={current}
      totalPages={totalPages}
      items={pageItems(current, totalPages)}
      hrefOf={hrefOf ?? ((number) => galleryAddress(search, { page: number }))}
    />
  )
}
