import type { ReactNode } from 'react'
import { VIDEO_LIMITS } from '~/domain/videos/rules'
import type { Keeping } from '~/domain/videos/types'
import type { DialogData } from '~/http/loaders/gallery.server'
import { paths } from '~/lib/paths'
import { ButtonLink } from '../ui/button'
import { Icon } from '../ui/icon'
import { BatchChip, DateFilter, isDated, StarFilter } from './more-filters'
import { GalleryDialogs } from './late-dialogs'
import { GalleryFilters } from './filters'
import { Gallery } from './gallery'
import { GalleryProvider } from './gallery-context'
import { GallerySearch } from './gallery-search'
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
  const { status, aspectRatio, inOrder, starred } = live.page.filters
  const batchId = live.work?.progress?.batch.id ?? null
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
        tools={{
          search: <OwnSearch />,
          filters: (isFew) => (
            <GalleryFilters batchId={batchId}>
              <DateFilter hasDays={!isFew} />
              <StarFilter />
              {batchId === null && <BatchChip />}
            </GalleryFilters>
          ),
          chosen: [
            status !== 'all',
            aspectRatio !== 'all',
            inOrder !== undefined,
            isDated(live.page.filters),
            starred !== undefined,
          ],
          many: <DeletedLink />,
        }}
      />
      <GalleryDialogs {...dialog} />
    </GalleryProvider>
  )
}

/** Leads to the deleted videos, which can be restored. */
const DeletedLink = () => (
  <ButtonLink look="plain" to={paths.deleted} className="md:min-h-9 md:px-3">
    <Icon name="trash-2" className="size-4" />
    Recently deleted
  </ButtonLink>
)

/** Searches the user's own videos by part of the prompt. */
const OwnSearch = () => (
  <GallerySearch
    list="Prompts"
    label="Search your prompts"
    placeholder="Search prompts"
    maxLength={VIDEO_LIMITS.searchCharacters}
  />
)
