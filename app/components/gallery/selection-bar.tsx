import type { ReactNode } from 'react'
import { figure } from '~/lib/figures'
import { Button } from '../ui/button'
import { useHydrated } from '../ui/use-hydrated'
import { useGallery } from './gallery-context'
import { SelectAll } from './select-all'

type Props = {
  /** The label of the checkbox that ticks all cards. */
  all?: string
  clear?: string
  /** The actions for ticked cards. */
  children: ReactNode
}

/** One bar with the number of ticked cards and the actions for them. */
export function SelectionBar({ all = 'Select All', clear = 'Clear', children }: Props) {
  const { selected, select } = useGallery()
  const isHydrated = useHydrated()
  return (
    <div data-box role="group" aria-label="Selected videos" className="selection-bar">
      <SelectAll label={all} />
      <div
        className="ticked-actions"
        data-ticked={isHydrated ? `${figure(selected.length)} selected` : undefined}
      >
        {children}
        {isHydrated && selected.length > 0 && (
          <Button type="button" look="quiet" onClick={() => select(false)} className="md:min-h-9">
            {clear}
          </Button>
        )}
      </div>
    </div>
  )
}
