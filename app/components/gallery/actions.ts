import type { GalleryIntent } from '~/http/actions/gallery-forms.server'
import type { IconName } from '../ui/icon-names'

// The actions of a gallery: the one table from which its buttons, dialogs and messages are made. The
// texts of the questions are in action-questions.ts, which is loaded on demand.

type Failure = readonly [title: string, description: string]

/** What every action has. */
type Shared = { label: string; icon: IconName }

/** How the button of an action for ticked videos differs from others. */
type Ticked = {
  /** Missing among the videos of all users, whose administrators have actions of their own. */
  isOwn?: boolean
  /** With scripts it is shown only once something is ticked. */
  isExtra?: boolean
}
export type TickedLook = Shared & Ticked

/**
 * What an action is about (the video of a card, the ticked videos, all videos), what a press on its
 * button does first (a question, a dialog of its own, or a file is loaded), and the toast if the server
 * gave no reason for a failure (specification §8).
 */
type Action = Shared &
  (
    | { of: 'video'; by: 'file' }
    | { of: 'video'; by: 'question' | 'dialog'; failed: Failure }
    | ({ of: 'ticked'; by: 'question'; failed: Failure } & Ticked)
    | { of: 'all'; by: 'dialog'; failed: Failure }
  )

/** The actions by name: the name of the form's intent and of the dialog in the URL. */
export const ACTIONS = {
  download: { of: 'video', by: 'file', label: 'Download', icon: 'download' },
  regenerate: {
    of: 'video',
    by: 'question',
    label: 'Regenerate',
    icon: 'refresh-cw',
    failed: ['Regenerate failed', 'Failed to regenerate video'],
  },
  edit: {
    of: 'video',
    by: 'dialog',
    label: 'Edit',
    icon: 'pencil',
    failed: ['Generation failed', 'Failed to start video generation'],
  },
  retry: {
    of: 'video',
    by: 'question',
    label: 'Retry',
    icon: 'rotate-cw',
    failed: ['Retry failed', 'Failed to retry video generation'],
  },
  delete: {
    of: 'video',
    by: 'question',
    label: 'Delete',
    icon: 'trash-2',
    failed: ['Delete failed', 'Failed to delete video'],
  },
  'retry-selected': {
    of: 'ticked',
    by: 'question',
    label: 'Retry',
    icon: 'rotate-cw',
    failed: ['Retry failed', 'Failed to retry videos'],
    isOwn: true,
    isExtra: true,
  },
  'delete-selected': {
    of: 'ticked',
    by: 'question',
    label: 'Delete Selected',
    icon: 'trash-2',
    failed: ['Delete failed', 'Failed to delete selected videos'],
  },
  'retry-all': {
    of: 'all',
    by: 'dialog',
    label: 'Retry All',
    icon: 'rotate-cw',
    failed: ['Retry All failed', 'Failed to retry videos'],
  },
} as const satisfies Record<GalleryIntent | 'download', Action>

type Named<Shape> = {
  [Name in keyof typeof ACTIONS]: (typeof ACTIONS)[Name] extends Shape ? Name : never
}[keyof typeof ACTIONS]

/** An action of one video's card and page. */
export type VideoAction = Named<{ of: 'video' }>
/** Those that ask first whether to do it. */
export type AskedVideoAction = Named<{ of: 'video'; by: 'question' }>
/** An action for the ticked videos, which asks first. */
export type TickedAction = Named<{ of: 'ticked' }>
/** Those that open a dialog of their own. */
export type DialogAction = Named<{ by: 'dialog' }>

export const isAction = (name: string): name is keyof typeof ACTIONS => Object.hasOwn(ACTIONS, name)

const isTickedAction = (name: string): name is TickedAction =>
  isAction(name) && ACTIONS[name].of === 'ticked'

/** The actions for the ticked videos, in the order of their buttons. */
export const TICKED_ACTIONS = Object.keys(ACTIONS).filter(isTickedAction)

/** Returns the toast of an action for which the server gave no reason, or null. */
export function failureOf(name: string): Failure | null {
  const action: Action | null = isAction(name) ? ACTIONS[name] : null
  return action && 'failed' in action ? action.failed : null
}
