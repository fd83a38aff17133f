import { useLocation } from '@remix-run/react'
import type { ComponentProps } from 'react'
import type { Owner } from '~/domain/videos/admin/all-videos-counts.server'
import { writeCursor } from '~/domain/videos/cursor'
import type { GalleryPage } from '~/domain/videos/types'
import type { DialogData } from '~/http/loaders/gallery.server'
import { pageNeighbours } from '~/lib/page-window'
import { galleryAddress } from '~/components/gallery/address'
import { DownloadButton } from '~/components/gallery/bulk-actions'
import { DateFilter, isDated } from '~/components/gallery/more-filters'
import { GalleryFilters } from '~/components/gallery/filters'
import { GallerySearch } from '~/components/gallery/gallery-search'
import { Gallery } from '~/components/gallery/gallery'
import { GalleryProvider } from '~/components/gallery/gallery-context'
import { GalleryDialogs } from '~/components/gallery/late-dialogs'
import { useHeldPage } from '~/components/gallery/use-held-page'
import { RATIO_LABELS } from '~/components/videos/ratio-labels'
import { OwnerFilter } from './owner-filter'
import { DeleteAllLink, RegenerateAllLink, RegenerateSelectedButton } from './all-videos-actions'
import { AllVideosDialogs } from './all-videos-dialogs'

type Props = {
  gallery: GalleryPage
  reach: ComponentProps<typeof AllVideosDialogs>['reach']
  owners: { owners: Owner[]; hasMore: boolean }
  dialog: DialogData
  refresh: () => Promise<void>
  now: string
}

const LABELS = { error: 'Failed', ...RATIO_LABELS } as const

/** The videos of all users, twelve per page, with the actions for one, several or all of them. */
export function AllVideosGallery({ gallery: loaded, reach, owners, ...rest }: Props) {
  const { dialog, refresh, now } = rest
  const { page: gallery, held } = useHeldPage(loaded)
  const hrefOf = useNeighbourAddress(gallery)
  const { status, aspectRatio, user, words, reason } = gallery.filters
  const owner = owners.owners.find(({ id }) => id === user)
  return (
    <GalleryProvider page={gallery} scope="all" refresh={refresh} held={held} now={now}>
      <Gallery
        title="Videos of all users"
        emptyText="No videos yet."
        noneText="No videos"
        pageItems={pageNeighbours}
        hrefOf={hrefOf}
        tools={{
          search: (
            <GallerySearch
              list="Usernames"
              label="Search by username"
              placeholder="Search by username"
              maxLength={100}
            />
          ),
          filters: () => (
            <div className="tool-columns">
              <GalleryFilters labels={LABELS}>
                <DateFilter hasDays />
              </GalleryFilters>
              <OwnerFilter owners={owners} />
            </div>
          ),
          chosen: [
            status !== 'all',
            aspectRatio !== 'all',
            ...[user, words, reason].map(Boolean),
            isDated(gallery.filters),
          ],
          many: (
            <>
              <DownloadButton choice="filtered" />
              <RegenerateAllLink />
              <DeleteAllLink />
            </>
          ),
        }}
        ofTicked={<RegenerateSelectedButton />}
      />
      <GalleryDialogs {...dialog} />
      <AllVideosDialogs reach={reach} owner={owner?.username} formKey={dialog.formKey} />
    </GalleryProvider>
  )
}

/**
 * Returns a function from a page number to its URL. The URLs of the next and previous page contain
 * the last or first card of this page as a cursor, so that paging costs the same on page 80,000 as
 * on page 2.
 */
function useNeighbourAddress({ pagination: { page }, videos }: GalleryPage) {
  const { search } = useLocation()
  const [first, last] = [videos[0], videos.at(-1)]
  return (number: number) => {
    const after =
      number === page + 1 && last ? writeCursor({ at: last.createdAt, id: last.id }) : null
    const before =
      number === page - 1 && number > 1 && first
        ? writeCursor({ at: first.createdAt, id: first.id })
        : null
    return galleryAddress(search, { page: number, after, before })
  }
}
