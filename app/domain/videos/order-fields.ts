import type { OrderTexts } from '~/platform/providers/port'
import type { SharedFields } from './types'

/** Name of an optional text of an order: in forms, calls and JSON. */
export type TextName = keyof OrderTexts

type TextField = {
  /** Names the field in messages. */
  label: string
  /** Names the field above its box. */
  title: string
  /** What the user writes into its box. */
  hint: string
  /** Maximum number of characters. */
  max: number
  /** Stands before the text on cards and pages of videos. */
  shownAs: string
  /** Stands before the text in the prompt of a provider that has no field for it. */
  foldedAs: string
  /** Name of the column in the list of an archive. */
  column: string
  /** Headings of such a column in a file of prompts (`headingReader`). */
  headings: string
}

/**
 * The optional texts of an order, in the order of forms and lists. Forms, drafts, schemas, pages,
 * archives and orders are made from this list; the columns are in order-columns.server.ts.
 */
export const ORDER_TEXTS: Readonly<Record<TextName, TextField>> = {
  negativePrompt: {
    label: 'Negative prompt',
    title: 'Negative Prompt',
    hint: 'what should not appear',
    max: 300,
    shownAs: 'Without',
    foldedAs: 'Avoid',
    column: 'negative_prompt',
    headings: 'neg(?:ative)?(?: prompts?)?',
  },
}

const isTextName = (name: string): name is TextName => name in ORDER_TEXTS

export const TEXT_NAMES: readonly TextName[] = Object.keys(ORDER_TEXTS).filter(isTextName)

/** Names of all fields that a form of an order sends beside the prompt. */
export const FIELD_NAMES: readonly (keyof SharedFields)[] = [...TEXT_NAMES, 'aspectRatio']

/** Returns an object with one value for each optional text. */
export function eachText<T>(valueOf: (name: TextName) => T): Record<TextName, T>
export function eachText(valueOf: (name: TextName) => unknown): Record<string, unknown> {
  return Object.fromEntries(TEXT_NAMES.map((name) => [name, valueOf(name)]))
}

/** An order without optional texts. */
export const NO_TEXTS: OrderTexts = eachText(() => null)
