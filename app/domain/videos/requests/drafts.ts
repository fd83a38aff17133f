import type { AspectRatio } from '../types'

/** Which form of the create screen a draft belongs to. */
export const DRAFT_KINDS = ['single', 'bulk'] as const
export type DraftKind = (typeof DRAFT_KINDS)[number]

/** What a form of the create screen holds. */
export type DraftText = { text: string; negativePrompt: string; aspectRatio: AspectRatio }

/** A stored draft; version 0 is that of a form that was never stored. */
export type Draft = DraftText & { version: number }

export const EMPTY_DRAFT: Draft = {
  text: '',
  negativePrompt: '',
  aspectRatio: 'portrait',
  version: 0,
}
