import { paths } from '~/lib/paths'
import type { Keeping, VideoView } from '~/domain/videos/types'
import { ButtonLink } from '../ui/button'
import {
  ArchiveLink,
  DeleteSelectedButton,
  DownloadButton,
  PromptsButton,
  RetryAllLink,
} from './bulk-actions'
import { libraryActions, ownActions } from './card-actions'
import { BatchChip, DateFilter } from './date-filter'
import { GalleryFilters } from './filters'
import { Gallery } from './gallery'
import { GalleryProvider, useGallery } from './gallery-context'
import { GalleryDialogs } from './dialogs-on-demand'
import { PromptSearch } from './prompt-search'
import { Icon } from '../ui/icon'
import { FiltersFold, PhoneFold } from '../ui/phone-fold'
import { SelectionBar } from './selection-bar'
import type { LiveGallery } from './use-live-gallery'
import { usePageSize } from './use-page-size'

type Props = {
  live: LiveGallery
  dialog: { opened: VideoView | null; formKey: string; typed: string | null }
}

/** The filters of a user's own gallery: state, aspect ratio, days, batch and words of the prompt. */
function OwnFilters({ batchId = null }: { batchId?: string | null }) {
  const { status, aspectRatio, inOrder, days, first, last } = useGallery().page.filters
  const isDated = [days, first, last].some((one) => one !== undefined)
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <FiltersFold
        chosen={[status !== 'all', aspectRatio !== 'all', inOrder !== undefined, isDated]}
      >
        <GalleryFilters batchId={batchId}>
          <DateFilter />
          {batchId === null && <BatchChip />}
        </GalleryFilters>
      </FiltersFold>
      <PromptSearch />
    </div>
  )
}

const EMPTY = 'No videos generated yet. Create your first video above!'

/** Leads to the deleted videos, which can be restored. */
const DeletedLink = () => (
  <ButtonLink look="plain" to={paths.deleted} className="md:min-h-9 md:px-3">
    <Icon name="trash-2" className="size-4" />
    Recently deleted
  </ButtonLink>
)

/** 'Your Videos' on the create screen, with all actions. */
export function CreateGallery({ live, dialog }: Props) {
  usePageSize(live.page.pagination)
  return (
    <GalleryProvider page={live.page} scope="mine" refresh={live.refresh}>
      <Gallery
        title="Your Videos"
        emptyText={EMPTY}
        isFailing={live.isFailing}
        actionsOf={ownActions}
        filters={<OwnFilters batchId={live.work?.progress?.batch.id ?? null} />}
        selection={
          <SelectionBar>
            <DownloadButton choice="selected" />
            <PromptsButton choice="selected" />
            <DeleteSelectedButton />
          </SelectionBar>
        }
        buttons={
          <PhoneFold label="All videos">
            <div className="flex flex-wrap gap-2 max-sm:mt-2 max-sm:*:grow">
              <DownloadButton choice="all" />
              <PromptsButton choice="all" />
              <RetryAllLink />
              <ArchiveLink choice="all" />
              <DeletedLink />
            </div>
          </PhoneFold>
        }
      />
      <GalleryDialogs {...dialog} />
    </GalleryProvider>
  )
}

/** My Videos: the same videos, to watch, download and delete. */
export function LibraryGallery({ live, dialog, keeping }: Props & { keeping: Keeping | null }) {
  const { total } = live.page.counts
  usePageSize(live.page.pagination)
  return (
    <GalleryProvider page={live.page} scope="mine" refresh={live.refresh} keeping={keeping}>
      <Gallery
        title="All videos"
        emptyText="No videos generated yet."
        isFailing={live.isFailing}
        actionsOf={libraryActions}
        filters={total > 0 && <OwnFilters />}
        selection={
          live.page.videos.length > 0 && (
            <SelectionBar>
              <DeleteSelectedButton />
            </SelectionBar>
          )
        }
        buttons={
          live.page.videos.length > 0 && (
            <>
              <ArchiveLink choice="all" />
              <DeletedLink />
            </>
          )
        }
        emptyAction={
          <>
            <ButtonLink to={paths.app}>Generate Video</ButtonLink>
            <DeletedLink />
          </>
        }
      />
      <GalleryDialogs {...dialog} />
    </GalleryProvider>
  )
}
