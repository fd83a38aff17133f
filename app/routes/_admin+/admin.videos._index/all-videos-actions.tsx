import { SelectedButton } from '~/components/gallery/bulk-actions'
import { useGallery } from '~/components/gallery/gallery-context'
import { DialogLink } from '~/components/ui/dialog-link'
import { ALL_WORDS } from './all-videos-labels'
import { Icon } from '~/components/ui/icon'

/** Asks whether to regenerate the ticked videos. */
export const RegenerateSelectedButton = () => (
  <SelectedButton dialog="regenerate-selected" icon="refresh-cw" label="Regenerate Selected" />
)

/** Its label follows the status filter. The dialog names the other filters. */
export function RegenerateAllLink() {
  const { page } = useGallery()
  return (
    <DialogLink dialog="regenerate-all">
      <Icon name="refresh-cw" className="size-4" />
      Regenerate {ALL_WORDS[page.filters.status].button}
    </DialogLink>
  )
}

/** The same. */
export function DeleteAllLink() {
  const { page } = useGallery()
  return (
    <DialogLink dialog="delete-all">
      <Icon name="trash-2" className="size-4" />
      Delete {ALL_WORDS[page.filters.status].button}
    </DialogLink>
  )
}
