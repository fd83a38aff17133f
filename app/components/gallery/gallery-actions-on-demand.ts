import { actionsOnDemand } from '../ui/actions-on-demand'

/** Loads the actions of cards and galleries and runs one of them. */
export const withGalleryActions = actionsOnDemand(() => import('./gallery-actions'))
