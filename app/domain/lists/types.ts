import type { OrderTexts } from '~/platform/providers/port'
import type { OwnSettings } from '../batches/types'
import type { DraftPicture } from '../videos/requests/pictures'
import type { AspectRatio } from '../videos/types'

// Lists: prompts that people paste or upload, looked through row by row before any of them is ordered.
//
// prompt-file.server reads a file or pasted cells; how a text is a table is the same for all (~/lib/table).
// stored-list.server is the list as it is kept with the drafts, and the rows that it has now. A row may have
// variants and a wording (wording), the stamp of a chat, marks, settings and a picture. prompt-list.server
// takes, shows and changes a list, start-list.server orders its first rows as a batch, and
// prompts-again.server brings a batch's prompts back. Lists call batches, which know no lists.

/** Why a row of a list is probably no prompt, or not as it should be. */
export type Mark = 'heading' | 'duplicate' | 'link' | 'stamp' | 'sign' | 'place' | 'gap' | 'long'

/** A row of a list of prompts, by its place in the list. */
export type ListRow = {
  row: number
  prompt: string
  marks: Mark[]
  own: OwnSettings
  /** The name of the picture in its cell; on a page, of the one with which its video begins. */
  picture: string | null
  /** The same for the picture with which it ends. */
  endPicture: string | null
}

/** A list of prompts from a file or a table, as its page shows it. */
export type ListView = {
  /** What the user has seen. A start is refused if the list is another one by then. */
  version: string
  name: string
  columns: string[]
  column: number
  /** Whether the heading, or the user, says that the column contains prompts. */
  isColumnKnown: boolean
  encoding: string
  /** The encodings to choose from, with their names; [] if the file says its own. */
  encodings: [string, string][]
  /** The names of a workbook's sheets, and the place of the one in use; [] for other lists. */
  sheets: string[]
  sheet: number
  /** The first rows that are used. */
  rows: ListRow[]
  /** How many rows are used. */
  count: number
  marks: { mark: Mark; count: number }[]
  /** How many rows are left out, and how many were ordered already. */
  out: number
  done: number
  /** How many rows have what a text service has made of them. */
  rewritten: number
  ratio: AspectRatio | null
  texts: OrderTexts
  notes: string[]
  /** Whether columns with several values give each row its own setting. Null: there are none. */
  hasOwn: boolean | null
  /** How every prompt is written, and the places that it may name (wording.ts). */
  wording: string
  places: string[]
  /** How many rows have variants, and whether each of them is a prompt. */
  variants: { rows: number; isWrittenOut: boolean }
  /**
   * The pictures in the bulk form, which of all rows begin with which, and names that are not clear. Null:
   * there are no videos from pictures.
   */
  pictures: { drafts: DraftPicture[]; says: string[]; problems: string[] } | null
}

/** A wording that other lists can use. */
export type SavedWording = { id: string; text: string }

/** What the user does with a list. */
export type ListChoice =
  | { kind: 'read'; column: number | null; encoding: string | null }
  | { kind: 'sheet'; sheet: number }
  | { kind: 'row'; row: number }
  | { kind: 'mark'; mark: Mark }
  | { kind: 'variants'; isWrittenOut: boolean }
  | { kind: 'own'; hasOwn: boolean }
  | { kind: 'wording'; wording: string }
  | { kind: 'as-before' | 'all' | 'drop' }
