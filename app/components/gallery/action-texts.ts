import type { CardView } from '~/domain/videos/types'
import type { GalleryIntent } from '~/http/actions/gallery-forms.server'
import { plural } from '~/lib/figures'
import type { Failed } from '../ui/action-form'
import { ACTIONS, type AskedTickedAction, type AskedVideoAction } from './actions'
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
const AFTER_DELETION =
  'For 7 days it stays in Recently deleted and can be restored; after that it is gone.'
const AFTER_DELETIONS =
  'For 7 days they stay in Recently deleted and can be restored; after that they are gone.'

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

type TickedQuestion = {
  title: (count: number) => string
  /** `starred`: how many of them are starred. Null if that is unknown. */
  text: (count: number, starred: number | null) => string
  confirmLabel: string
  isDangerous: boolean
  /** Says that nothing is ticked. */
  nothing: string
}

/** Says that starred videos are not deleted with the others. */
export function keptText(starred: number | null): string {
  if (starred === null) return ' Starred videos are kept.'
  if (starred === 0) return ''
  return ` ${plural(starred, 'starred video')} ${starred === 1 ? 'is' : 'are'} kept.`
}

/** The questions of the actions for ticked videos. */
export const TICKED_QUESTIONS: Readonly<Record<AskedTickedAction, TickedQuestion>> = {
  'star-selected': {
    title: (count) => `Star ${plural(count, 'video')}?`,
    text: () =>
      'Starred videos stay when many are deleted, and are not removed because of their age. Videos without a clip are left out.',
    confirmLabel: 'Star',
    isDangerous: false,
    nothing: 'Select the videos to star first.',
  },
  'unstar-selected': {
    title: (count) => `Remove the ${count === 1 ? 'star' : 'stars'} of ${plural(count, 'video')}?`,
    text: () =>
      'They can then be deleted with others again, and are removed when they are too old.',
    confirmLabel: 'Unstar',
    isDangerous: false,
    nothing: 'Select the videos to unstar first.',
  },
  'uncollect-selected': {
    title: (count) => `Remove ${plural(count, 'clip')} from this collection?`,
    text: (count) =>
      count === 1 ? 'It stays in My Videos.' : 'They stay in My Videos, and in other collections.',
    confirmLabel: 'Remove',
    isDangerous: false,
    nothing: 'Select the clips to remove first.',
  },
  'retry-selected': {
    title: (count) => `Retry the failed ones of ${plural(count, 'video')}?`,
    text: () =>
      'Each failed one counts as a video of today. We retry the oldest first, up to today’s quota. The others stay as they are.',
    confirmLabel: 'Retry',
    isDangerous: false,
    nothing: 'Select the videos to retry first.',
  },
  'delete-selected': {
    title: (count) => `Delete ${plural(count, 'video')}?`,
    text: (count, starred) =>
      `${count === 1 ? AFTER_DELETION : AFTER_DELETIONS} Videos in progress are cancelled.${keptText(starred)}`,
    confirmLabel: 'Delete',
    isDangerous: true,
    nothing: 'Select the videos to delete first.',
  },
}

/** Returns whether a dialog is that of an action for ticked videos. */
export const isOfTicked = (name: string): name is AskedTickedAction =>
  Object.hasOwn(TICKED_QUESTIONS, name)
