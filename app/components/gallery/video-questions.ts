import { AFTER_DELETION } from './deletion-text'

const QUESTIONS = {
  retry: 'Retry this video? It uses 1 video of today’s quota.',
  regenerate:
    'Regenerate this video with the same prompt? It uses 1 video of today’s quota. The present video stays until the new one is ready.',
  delete: `Delete this video? ${AFTER_DELETION}`,
} as const

/** Asks for confirmation of a card's action in the browser's own dialog. */
export const confirmAction = (action: keyof typeof QUESTIONS): boolean =>
  window.confirm(QUESTIONS[action])
