import type { ReactNode } from 'react'
import { countFor, isSought, shownFilters } from '~/domain/videos/rules'
import type { RatioFilter, StatusFilter } from '~/domain/videos/types'
import { FilterGroup, type FilterChoice } from '../ui/filter-group'
import { galleryAddress } from './address'
import { useGallery } from './gallery-context'

const LABELS = {
  all: 'All',
  completed: 'Completed',
  pending: 'Pending',
  error: 'Error',
  cancelled: 'Cancelled',
  landscape: 'Landscape',
  portrait: 'Portrait',
} as const satisfies Record<StatusFilter | RatioFilter, string>

const RATIOS = ['all', 'landscape', 'portrait'] as const

type Props = {
  /** Other labels for states and ratios, where the specification has them. */
  labels?: Partial<Record<StatusFilter | RatioFilter, string>>
  /** A batch that can be listed in the order of its prompts. */
  batchId?: string | null
  /** Filters beside these. */
  children?: ReactNode
}

/**
 * The gallery's filters with the number of matches of each. They are links, so that each choice has
 * a URL.
 */
export function GalleryFilters({ labels = {}, batchId = null, children }: Props) {
  const { page, search } = useGallery()
  const { filters, counts } = page
  const { status, aspectRatio } = filters
  const inOrder = filters.inOrder ?? null
  // The counts of the other filters are unknown if they need the videos themselves.
  const show = isSought(filters) ? () => null : countFor
  const choiceOf = (
    change: { status: StatusFilter } | { aspectRatio: RatioFilter },
  ): FilterChoice => {
    const chosen = { status, aspectRatio, ...change }
    const value = 'status' in change ? change.status : change.aspectRatio
    return {
      label: labels[value] ?? LABELS[value],
      count: show(counts, chosen),
      isCurrent: chosen.status === status && chosen.aspectRatio === aspectRatio,
      to: galleryAddress(search, change),
    }
  }
  return (
    <div className="space-y-3">
      <FilterGroup
        label="Status"
        choices={shownFilters(counts, status).map((one) => choiceOf({ status: one }))}
      />
      <FilterGroup
        label="Aspect ratio"
        choices={RATIOS.map((one) => choiceOf({ aspectRatio: one }))}
      />
      {batchId !== null && (
        <OrderFilter batch={inOrder ?? batchId} search={search} isInOrder={inOrder !== null} />
      )}
      {children}
    </div>
  )
}

type OrderProps = { batch: string; search: string; isInOrder: boolean }

/** All videos, or those of one batch in the order of its prompts. Both views follow the batch. */
function OrderFilter({ batch, search, isInOrder }: OrderProps) {
  return (
    <FilterGroup
      label="Order"
      choices={[
        {
          label: 'Newest first',
          count: null,
          isCurrent: !isInOrder,
          to: galleryAddress(search, { inOrder: null }),
        },
        {
          label: 'Oldest first',
          count: null,
          isCurrent: isInOrder,
          to: galleryAddress(search, { inOrder: batch, batch }),
        },
      ]}
    />
  )
}
