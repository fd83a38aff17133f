import { eachText, type TextName } from '../order-fields'
import type { AspectRatio, SharedFields } from '../types'

/** The form of the create screen that a draft belongs to. */
export const DRAFT_KINDS = ['single', 'bulk'] as const
export type DraftKind = (typeof DRAFT_KINDS)[number]

/** The fields of an order as its form shows them: '' for a text that is not given. */
export type Settings = Record<TextName, string> & { aspectRatio: AspectRatio }

/** The contents of a form of the create screen. */
export type DraftText = Settings & { text: string }

/** A stored draft. Version 0 means that the form was never stored. */
export type Draft = DraftText & { version: number }

export const EMPTY_DRAFT: Draft = {
  text: '',
  ...eachText(() => ''),
  aspectRatio: 'portrait',
  version: 0,
}

/** Returns the fields of an order as a form shows them. */
export const settingsOf = ({ aspectRatio, ...texts }: SharedFields): Settings => ({
  ...eachText((name) => texts[name] ?? ''),
  aspectRatio,
})

/** Name of the box of a form that holds the prompt or the prompts. */
export type BoxName = 'prompt' | 'promptLines'

/** Reads the values of a form of the create screen, without validation. */
export function readDraft(data: FormData, box: BoxName): DraftText {
  return draftFrom(box, (name) => {
    const value = data.get(name)
    return typeof value === 'string' ? value : ''
  })
}

/** Builds the contents of a form from the values of its fields. */
export const draftFrom = (box: BoxName, read: (name: string) => string): DraftText => ({
  text: read(box),
  ...eachText(read),
  aspectRatio: read('aspectRatio') === 'landscape' ? 'landscape' : 'portrait',
})
