import { plural } from '~/lib/figures'
import { ACTIONS, type AskedVideoAction, type TickedAction } from './actions'
import type { GalleryScope } from './gallery-context'

// What the actions of a gallery ask before they do something. Part of the table in actions.ts.

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

/** Asks for confirmation of a card's action in the browser's own dialog. */
export function confirmAction(action: AskedVideoAction, scope: GalleryScope): boolean {
  const { title, asked = title, effect } = VIDEO_QUESTIONS[action]
  return window.confirm(`${asked} ${effect[scope]}`)
}

/** Returns what the dialog of a card's action says, and its button. */
export function videoQuestion(action: AskedVideoAction, scope: GalleryScope) {
  const { title, how = '', effect, isDangerous = false } = VIDEO_QUESTIONS[action]
  const { label } = ACTIONS[action]
  return { title, text: `${how} ${effect[scope]}`.trim(), confirmLabel: label, isDangerous }
}

type TickedQuestion = {
  title: (count: number) => string
  text: (count: number) => string
  confirmLabel: string
  isDangerous: boolean
  /** Says that nothing is ticked. */
  nothing: string
}

/** The questions of the actions for ticked videos. */
export const TICKED_QUESTIONS: Readonly<Record<TickedAction, TickedQuestion>> = {
  'retry-selected': {
    title: (count) => `Retry the failed ones of ${plural(count, 'video')}?`,
    text: () =>
      'Each failed one uses 1 unit. We retry the oldest first, up to today’s quota. The others stay as they are.',
    confirmLabel: 'Retry',
    isDangerous: false,
    nothing: 'Select the videos to retry first.',
  },
  'delete-selected': {
    title: (count) => `Delete ${plural(count, 'video')}?`,
    text: (count) =>
      `${count === 1 ? AFTER_DELETION : AFTER_DELETIONS} Videos in progress are cancelled.`,
    confirmLabel: 'Delete',
    isDangerous: true,
    nothing: 'Select the videos to delete first.',
  },
}

/** Returns whether a dialog is that of an action for ticked videos. */
export const isOfTicked = (name: string): name is TickedAction =>
  Object.hasOwn(TICKED_QUESTIONS, name)
