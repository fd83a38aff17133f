import { Dialog } from './dialog'

/** Says that a dialog was opened for something that was deleted meanwhile, such as in another tab. */
export const GoneDialog = ({ what }: { what: string }) => (
  <Dialog title={`This ${what} is gone`} width="narrow">
    <p>It was deleted after this list was loaded.</p>
  </Dialog>
)
