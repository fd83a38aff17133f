import type { ReactNode } from 'react'
import type { Keeping } from '~/domain/videos/types'
import type { DialogData } from '~/http/loaders/gallery.server'
import { paths } from '~/lib/paths'
import { ButtonLink } from '../ui/button'
import { Icon } from '../ui/icon'
import { filtersLabel, PhoneFold } from '../ui/phone-fold'
import { BatchChip, DateFilter, StarFilter } from './more-filters'
import { GalleryDialogs } from './late-dialogs'
import { GalleryFilters } from './filters'
import { Gallery } from './gallery'
import { GalleryProvider, useGallery } from './gallery-context'
import { PromptSearch } from './prompt-search'
import type { LiveGallery } from './use-live-gallery'
import { usePageSize } from './use-page-size'

type Props = {
  live: LiveGallery
  dialog: DialogData
  title: string
  emptyText: string
  emptyAction?: ReactNode
  keeping?: Keeping | null
}

/** A user's own videos, on the create screen and on My Videos, with all actions. */
export function OwnGallery({ live, dialog, keeping = null, emptyAction, ...texts }: Props) {
  usePageSize(live.page.pagination)
  return (
    <GalleryProvider
      page={live.page}
      scope="mine"
      refresh={live.refresh}
      keeping={keeping}
      now={live.now}
      held={live.held}
    >
      <Gallery
        {...texts}
        emptyAction={
          <>
            {emptyAction}
            <DeletedLink />
          </>
        }
        isFailing={live.isFailing}
        filters={
          live.page.counts.total > 0 && (
            <OwnFilters batchId={live.work?.progress?.batch.id ?? null} />
          )
        }
        more={{
          selected: null,
          many: live.page.counts.total > 0 && (
            <>
              <CollectionsLink />
              <FilmsLink />
              <DeletedLink />
            </>
          ),
        }}
      />
      <GalleryDialogs {...dialog} />
    </GalleryProvider>
  )
}

const CollectionsLink = () => (
  <ButtonLink look="plain" to={paths.collections} className="md:min-h-9 md:px-3">
    <Icon name="folder" className="size-4" />
    Collections
  </ButtonLink>
)

/** Leads to the deleted videos, which can be restored. */
const DeletedLink = () => (
  <ButtonLink look="plain" to={paths.deleted} className="md:min-h-9 md:px-3">
    <Icon name="trash-2" className="size-4" />
    Recently deleted
  </ButtonLink>
)

/** Leads to the clips that were joined. */
const FilmsLink = () => (
  <ButtonLink look="plain" to={paths.films} className="md:min-h-9 md:px-3">
    <Icon name="film" className="size-4" />
    Films
  </ButtonLink>
)

/**
 * The filters of a user's own gallery: state, aspect ratio, days, stars, batch and words of the prompt. On
 * narrow screens all but the words are folded, also while some are chosen: the videos come first.
 */
function OwnFilters({ batchId }: { batchId: string | null }) {
  const { filters } = useGallery().page
  const { status, aspectRatio, inOrder, days, first, last, starred } = filters
  const isDated = [days, first, last].some((one) => one !== undefined)
  return (
    <div className="gallery-filters">
      <PhoneFold
        below="lg"
        label={filtersLabel([
          status !== 'all',
          aspectRatio !== 'all',
          inOrder !== undefined,
          isDated,
          starred !== undefined,
        ])}
      >
        <GalleryFilters batchId={batchId}>
          <DateFilter />
          <StarFilter />
          {batchId === null && <BatchChip />}
        </GalleryFilters>
      </PhoneFold>
      <PromptSearch />
    </div>
  )
}
