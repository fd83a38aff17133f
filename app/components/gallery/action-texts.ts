import type { CardView } from '~/domain/videos/types'
import type { GalleryIntent } from '~/http/actions/gallery-forms.server'
import type { Failed } from '../ui/action-form'
import { ACTIONS, type AskedVideoAction } from './actions'
import type { GalleryScope } from './gallery-context'
import { followPointer } from './hover-clips'

// The longer texts of the actions in actions.ts: what they ask before, and what is said if they fail.

/** The title, and the description if the server gives no reason (specification §8). */
const FAILED: Readonly<Record<GalleryIntent, readonly [title: string, reason: string]>> = {
  regenerate: ['Regenerate failed', 'Failed to regenerate video'],
  edit: ['Generation failed', 'Failed to start video generation'],
  more: ['Generation failed', 'Failed to start video generation'],
  share: ['Link not created', 'Failed to create the link'],
  retry: ['Retry failed', 'Failed to retry video generation'],
  delete: ['Delete failed', 'Failed to delete video'],
  star: ['Not starred', 'Failed to star video'],
  unstar: ['Star not removed', 'Failed to remove the star'],
  'star-selected': ['Not starred', 'Failed to star videos'],
  'unstar-selected': ['Stars not removed', 'Failed to remove the stars'],
  'collect-selected': ['Not added', 'Failed to add videos to the collection'],
  'uncollect-selected': ['Not removed', 'Failed to remove videos from the collection'],
  'retry-selected': ['Retry failed', 'Failed to retry videos'],
  'delete-selected': ['Delete failed', 'Failed to delete selected videos'],
  'retry-all': ['Retry All failed', 'Failed to retry videos'],
}

/** Returns the words of a failed action. Administrators have a title of their own, and no reason. */
export function failedOf(action: GalleryIntent, scope: GalleryScope = 'mine'): Failed {
  if (scope === 'mine') return FAILED[action]
  return action === 'delete-selected' ? 'Failed to delete videos' : FAILED[action][0]
}

const OWN_COST = 'It uses 1 video of today’s quota.'
const ADMINS_COST =
  'It uses an administrator token and runs after users’ own videos; the owner’s quota is untouched.'
const KEPT = 'The present video stays until the new one is ready.'

// The trash keeps videos a week (decision 27). Of others’ videos, Recently deleted is their owner’s.
export const AFTER_DELETION =
  'For 7 days it stays in Recently deleted and can be restored; after that it is gone.'

type VideoQuestion = {
  /** The title of the dialog, and the question of the browser's own dialog unless `asked` is given. */
  title: string
  asked?: string
  /** What happens, in the dialog only. */
  how?: string
  /** What it costs, or what follows. Administrators act for the owner. */
  effect: Readonly<Record<GalleryScope, string>>
  isDangerous?: true
}

/** The questions of a card's actions. */
export const VIDEO_QUESTIONS: Readonly<Record<AskedVideoAction, VideoQuestion>> = {
  retry: {
    title: 'Retry this video?',
    how: 'It is made again with the same prompt.',
    effect: { mine: OWN_COST, all: ADMINS_COST },
  },
  regenerate: {
    title: 'Regenerate this video?',
    asked: 'Regenerate this video with the same prompt?',
    how: 'It is made again with the same prompt.',
    effect: { mine: `${OWN_COST} ${KEPT}`, all: `${ADMINS_COST} ${KEPT}` },
  },
  delete: {
    title: 'Delete this video?',
    effect: { mine: AFTER_DELETION, all: AFTER_DELETION },
    isDangerous: true,
  },
}

/** Returns whether an action of a card asks first. */
export const isAsked = (name: string): name is AskedVideoAction =>
  Object.hasOwn(VIDEO_QUESTIONS, name)

/** What a question is about: the video, and whose gallery shows it. */
type Asked = Pick<CardView, 'starred'> & { scope: GalleryScope }

/**
 * Asks for confirmation of a card's action in the browser's own dialog. A clip that plays in its frame ends:
 * it may be gone before the card.
 */
export function confirmAction(action: AskedVideoAction, about: Asked): boolean {
  const { title, asked = title } = VIDEO_QUESTIONS[action]
  const isConfirmed = window.confirm(`${asked} ${effectOf(action, about)}`)
  if (isConfirmed) followPointer(null)
  return isConfirmed
}

/** Returns what the dialog of a card's action says, and its button. */
export function videoQuestion(action: AskedVideoAction, about: Asked) {
  const { title, how = '', isDangerous = false } = VIDEO_QUESTIONS[action]
  const { label } = ACTIONS[action]
  const text = `${how} ${effectOf(action, about)}`.trim()
  return { title, text, confirmLabel: label, isDangerous }
}

function effectOf(action: AskedVideoAction, { scope, starred }: Asked): string {
  const { effect, isDangerous = false } = VIDEO_QUESTIONS[action]
  return starred && isDangerous ? `It is starred. ${effect[scope]}` : effect[scope]
}
