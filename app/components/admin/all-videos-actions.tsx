import { useNavigate } from '@remix-run/react'
import { RefreshCw, Trash2, X } from 'lucide-react'
import type { MouseEvent } from 'react'
import { dialogAddress } from '~/lib/dialog-address'
import { OF_TICKED, showNothingSelected } from '../gallery/bulk-actions'
import { useGallery } from '../gallery/gallery-context'
import { Button } from '../ui/button'
import { DialogLink } from '../ui/dialog-link'
import { useHydrated } from '../ui/use-hydrated'
import { DELETE_ALL_WORDS } from './all-videos-labels'

const SMALL = 'md:min-h-9 md:px-3'

/** Opens the dialog that asks whether to regenerate the ticked videos. */
export function RegenerateSelectedButton() {
  const { selected, search } = useGallery()
  const navigate = useNavigate()
  const press = (event: MouseEvent) => {
    event.preventDefault()
    if (selected.length === 0) return showNothingSelected()
    navigate(dialogAddress(search, 'regenerate-selected'), { preventScrollReset: true })
  }
  return (
    <Button
      look="plain"
      name="dialog"
      value="regenerate-selected"
      onClick={press}
      className={`${SMALL} ${OF_TICKED}`}
    >
      <RefreshCw aria-hidden className="size-4" />
      Regenerate Selected
    </Button>
  )
}

/** Rendered only with scripts. Without them a link beside the checkboxes clears the selection. */
export function ClearSelectionButton() {
  const { selected, select } = useGallery()
  if (!useHydrated() || selected.length === 0) return null
  return (
    <Button type="button" look="plain" onClick={() => select(false)} className={SMALL}>
      <X aria-hidden className="size-4" />
      Clear Selection
    </Button>
  )
}

export const RegenerateAllLink = () => (
  <DialogLink dialog="regenerate-all" className={SMALL}>
    <RefreshCw aria-hidden className="size-4" />
    Regenerate All
  </DialogLink>
)

/** Its label follows the status filter. The other filters do not apply, and the dialog says so. */
export function DeleteAllLink() {
  const { page } = useGallery()
  return (
    <DialogLink dialog="delete-all" className={SMALL}>
      <Trash2 aria-hidden className="size-4" />
      {DELETE_ALL_WORDS[page.filters.status].button}
    </DialogLink>
  )
}
