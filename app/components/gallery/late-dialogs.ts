import { lateDialog } from '../ui/late-dialog'

/** The dialogs of a gallery and of a video's page. */
export const GalleryDialogs = lateDialog(
  async () => (await import('./gallery-dialogs')).GalleryDialogs,
)
