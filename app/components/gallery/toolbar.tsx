import type { ReactNode } from 'react'
import type { Pagination } from '~/domain/videos/types'
import { figure } from '~/lib/figures'
import { ToolSheet } from '../ui/tool-sheet'
import { ManyActions } from './bulk-actions'
import { useGallery } from './gallery-context'
import { SelectAll } from './select-all'

/** The tools of a gallery. */
export type Tools = {
  search: ReactNode
  /** Returns the filters; for a few clips without what is of use only among many. */
  filters: (isFew: boolean) => ReactNode
  /** Which of the filters narrow or sort the list. */
  chosen: readonly boolean[]
  /** What else can be done with many videos at once. */
  many: ReactNode
}

/** Up to this many clips, none of them filtered out, need no search, and their filters are one press further. */
const FEW = 12

type Props = { tools: Tools; headingId: string; title: string; noneText: string | undefined }

/**
 * The one row above a gallery: its name with what is shown of how many, the search, the filters, and all
 * that is done with many videos. The actions on ticked ones are in a bar of their own.
 */
export function Toolbar({ tools, headingId, title, noneText }: Props) {
  const { page, scope } = useGallery()
  const { filters, counts, pagination } = page
  const count = tools.chosen.filter(Boolean).length
  const isNarrowed = count > 0 || filters.search !== ''
  const size = filters.collection === undefined ? counts.total : pagination.totalCount
  const isFew = scope === 'mine' && size <= FEW && !isNarrowed
  return (
    <div className="gallery-head" data-searched={filters.search !== '' || undefined}>
      <div className="gallery-name">
        <h2 id={headingId} tabIndex={-1}>
          {title}
        </h2>
        <Range pagination={pagination} shown={page.videos.length} noneText={noneText} />
      </div>
      {!isFew && tools.search}
      {!isFew && (
        <ToolSheet label="Filters" icon="list-filter" count={count} isSign="on-phones">
          {tools.filters(false)}
        </ToolSheet>
      )}
      {!page.isMissing && (
        <ToolSheet label="More actions" icon="ellipsis" isSign>
          <div className="tool-list">
            <SelectAll />
          </div>
          <ManyActions more={tools.many} />
          {isFew && size > 0 && tools.filters(true)}
        </ToolSheet>
      )}
    </div>
  )
}

type RangeProps = { pagination: Pagination; shown: number; noneText: string | undefined }

function Range({ pagination, shown, noneText }: RangeProps) {
  const { page, limit, totalCount } = pagination
  const first = (page - 1) * limit + 1
  return (
    <p role="status" className="gallery-range">
      {shown > 0
        ? `Showing ${figure(first)}-${figure(first + shown - 1)} of ${figure(totalCount)} videos`
        : noneText}
    </p>
  )
}
