import { MORE_VIDEOS } from '~/domain/videos/rules'
import type { GalleryIntent } from '~/http/actions/gallery-forms.server'
import type { IconName } from '../ui/icon-names'

// The actions of a gallery: the one table from which its buttons, dialogs and messages are made. Their
// longer texts are in action-texts.ts.

/** What every action has. */
type Shared = { label: string; icon: IconName }

/** How the button of an action for ticked videos differs from others. */
type Ticked = {
  /** Missing among the videos of all users, whose administrators have actions of their own. */
  isOwn?: boolean
  /** Shown only in the list of starred videos, or only in other lists. */
  ofStarred?: boolean
  /** Shown only in the list of a collection. */
  ofCollection?: true
}
export type TickedLook = Shared & Ticked

/**
 * What an action is about (the video of a card, the ticked videos, all videos), and what a press on its
 * button does first: it asks a question, opens a dialog of its own, loads a file, or is sent at once.
 */
type Action = Shared &
  (
    | { of: 'video'; by: 'file' | 'question' | 'dialog' | 'press' }
    | ({ of: 'ticked'; by: 'question' | 'dialog' } & Ticked)
    | { of: 'all'; by: 'dialog' }
  )

/** The actions by name: that of the form's intent and of the dialog in the URL. */
export const ACTIONS = {
  download: { of: 'video', by: 'file', label: 'Download', icon: 'download' },
  regenerate: { of: 'video', by: 'question', label: 'Regenerate', icon: 'refresh-cw' },
  edit: { of: 'video', by: 'dialog', label: 'Edit', icon: 'pencil' },
  share: { of: 'video', by: 'dialog', label: 'Share', icon: 'share-2' },
  more: { of: 'video', by: 'dialog', label: `${MORE_VIDEOS} More`, icon: 'copy-plus' },
  retry: { of: 'video', by: 'question', label: 'Retry', icon: 'rotate-cw' },
  delete: { of: 'video', by: 'question', label: 'Delete', icon: 'trash-2' },
  star: { of: 'video', by: 'press', label: 'Star', icon: 'star' },
  unstar: { of: 'video', by: 'press', label: 'Unstar', icon: 'star-off' },
  'star-selected': {
    of: 'ticked',
    by: 'question',
    label: 'Star',
    icon: 'star',
    isOwn: true,
    ofStarred: false,
  },
  'unstar-selected': {
    of: 'ticked',
    by: 'question',
    label: 'Unstar',
    icon: 'star-off',
    isOwn: true,
    ofStarred: true,
  },
  'collect-selected': {
    of: 'ticked',
    by: 'dialog',
    label: 'Add to collection',
    icon: 'folder',
    isOwn: true,
  },
  'uncollect-selected': {
    of: 'ticked',
    by: 'question',
    label: 'Remove from collection',
    icon: 'x',
    isOwn: true,
    ofCollection: true,
  },
  'retry-selected': {
    of: 'ticked',
    by: 'question',
    label: 'Retry',
    icon: 'rotate-cw',
    isOwn: true,
  },
  'delete-selected': {
    of: 'ticked',
    by: 'question',
    label: 'Delete Selected',
    icon: 'trash-2',
  },
  'retry-all': { of: 'all', by: 'dialog', label: 'Retry All', icon: 'rotate-cw' },
} as const satisfies Record<GalleryIntent | 'download', Action>

type Named<Shape> = {
  [Name in keyof typeof ACTIONS]: (typeof ACTIONS)[Name] extends Shape ? Name : never
}[keyof typeof ACTIONS]

/** An action of one video's card and page. */
export type VideoAction = Named<{ of: 'video' }>
/** Those that ask first whether to do it. */
export type AskedVideoAction = Named<{ of: 'video'; by: 'question' }>
/** Those that are done at once. */
export type PressedVideoAction = Named<{ of: 'video'; by: 'press' }>
/** An action for the ticked videos. */
export type TickedAction = Named<{ of: 'ticked' }>
/** Those that ask first whether to do it. */
export type AskedTickedAction = Named<{ of: 'ticked'; by: 'question' }>
/** Those that open a dialog of their own. */
export type DialogAction = Named<{ by: 'dialog' }>

export const isAction = (name: string): name is keyof typeof ACTIONS => Object.hasOwn(ACTIONS, name)

const isPressed = (name: string): name is PressedVideoAction =>
  isAction(name) && ACTIONS[name].by === 'press'

/** The actions of a video that are done at once. */
export const PRESSED_ACTIONS = Object.keys(ACTIONS).filter(isPressed)

const isTickedAction = (name: string): name is TickedAction =>
  isAction(name) && ACTIONS[name].of === 'ticked'

/** The actions for the ticked videos, in the order of their buttons. */
export const TICKED_ACTIONS = Object.keys(ACTIONS).filter(isTickedAction)
