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

/** Reads the values of a form of the create screen, without validation. */
export function readDraft(data: FormData, textField: 'prompt' | 'promptLines'): DraftText {
  const read = (name: string) => {
    const value = data.get(name)
    return typeof value === 'string' ? value : ''
  }
  return {
    text: read(textField),
    negativePrompt: read('negativePrompt'),
    aspectRatio: read('aspectRatio') === 'landscape' ? 'landscape' : 'portrait',
  }
}
