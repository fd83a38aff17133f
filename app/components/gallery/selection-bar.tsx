import type { ReactNode } from 'react'
import { figure } from '~/lib/figures'
import { Button } from '../ui/button'
import { useHydrated } from '../ui/use-hydrated'
import { SelectedActions } from './bulk-actions'
import { useGallery, useTicks } from './gallery-context'
import { SelectAll } from './select-all'

const LABELS = {
  mine: { all: 'Select All', clear: 'Clear' },
  all: { all: 'Select all on page', clear: 'Clear Selection' },
} as const

/** One bar with the number of ticked cards and the actions for them. */
export function SelectionBar({ more }: { more: ReactNode }) {
  const { page, scope } = useGallery()
  const { count, clear } = useTicks()
  const isHydrated = useHydrated()
  if (page.videos.length === 0 && count === 0) return null
  const labels = LABELS[scope]
  return (
    <div data-box role="group" aria-label="Selected videos" className="selection-bar">
      <SelectAll label={labels.all} />
      <div
        className="ticked-actions"
        data-ticked={isHydrated ? `${figure(count)} selected` : undefined}
      >
        <SelectedActions more={more} />
        {isHydrated && count > 0 && (
          <Button type="button" look="quiet" onClick={clear} className="clear-ticks md:min-h-9">
            {labels.clear}
          </Button>
        )}
      </div>
    </div>
  )
}
