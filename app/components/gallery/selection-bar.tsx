import type { ReactNode } from 'react'
import { figure } from '~/lib/figures'
import { Button } from '../ui/button'
import { useHydrated } from '../ui/use-hydrated'
import { SelectedActions } from './bulk-actions'
import { useGallery } from './gallery-context'
import { SelectAll } from './select-all'

const LABELS = {
  mine: { all: 'Select All', clear: 'Clear' },
  all: { all: 'Select all on page', clear: 'Clear Selection' },
} as const

/** One bar with the number of ticked cards and the actions for them. */
export function SelectionBar({ more }: { more: ReactNode }) {
  const { page, scope, selected, select } = useGallery()
  const isHydrated = useHydrated()
  if (page.videos.length === 0 && selected.length === 0) return null
  const { all, clear } = LABELS[scope]
  return (
    <div data-box role="group" aria-label="Selected videos" className="selection-bar">
      <SelectAll label={all} />
      <div
        className="ticked-actions"
        data-ticked={isHydrated ? `${figure(selected.length)} selected` : undefined}
      >
        <SelectedActions more={more} />
        {isHydrated && selected.length > 0 && (
          <Button type="button" look="quiet" onClick={() => select(false)} className="md:min-h-9">
            {clear}
          </Button>
        )}
      </div>
    </div>
  )
}
