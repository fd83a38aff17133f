import { AFTER_DELETION } from './deletion-text'
import type { GalleryScope } from './gallery-context'

const OWN_COST = 'It uses 1 video of today’s quota.'
const ADMINS_COST =
  'It uses an administrator token and runs after users’ own videos; the owner’s quota is untouched.'
const KEPT = 'The present video stays until the new one is ready.'

/** What the confirmations of a card's actions say. Administrators act for the owner. */
export const CONSEQUENCES = {
  mine: {
    retry: OWN_COST,
    regenerate: `${OWN_COST} ${KEPT}`,
    delete: AFTER_DELETION,
  },
  all: {
    retry: ADMINS_COST,
    regenerate: `${ADMINS_COST} ${KEPT}`,
    delete: AFTER_DELETION,
  },
} as const satisfies Record<GalleryScope, Record<Deed, string>>

const QUESTIONS = {
  retry: 'Retry this video?',
  regenerate: 'Regenerate this video with the same prompt?',
  delete: 'Delete this video?',
} as const

export type Deed = 'retry' | 'regenerate' | 'delete'

/** Asks for confirmation of a card's action in the browser's own dialog. */
export const confirmAction = (action: Deed, scope: GalleryScope): boolean =>
  window.confirm(`${QUESTIONS[action]} ${CONSEQUENCES[scope][action]}`)
