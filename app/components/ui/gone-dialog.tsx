import { Dialog } from './dialog'

/** Opens in place of a dialog about an item that the list no longer has. */
export const GoneDialog = ({ what }: { what: string }) => (
  <Dialog title={`This ${what} was not found`} width="narrow">
    <p>It may have been deleted in another tab or on another device.</p>
  </Dialog>
)
