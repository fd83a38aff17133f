import type { AspectRatio } from '../types'

/** The form of the create screen that a draft belongs to. */
export const DRAFT_KINDS = ['single', 'bulk'] as const
export type DraftKind = (typeof DRAFT_KINDS)[number]

/** The contents of a form of the create screen. */
export type DraftText = { text: string; negativePrompt: string; aspectRatio: AspectRatio }

/** A stored draft. Version 0 means that the form was never stored. */
export type Draft = DraftText & { version: number }

export const EMPTY_DRAFT: Draft = {
  text: '',
  negativePrompt: '',
  aspectRatio: 'portrait',
  version: 0,
}
