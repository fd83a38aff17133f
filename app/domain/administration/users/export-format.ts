// The text format of accounts, one per line, with fields separated by pipes. The export writes it
// and the import reads it (specification §3 and §5; decision Q-30).
import { isMask } from '../../tokens/rules'
import { EXPORT_COLUMNS } from '../account-fields'

/** Placeholder for a password, which is stored hashed. */
export const HASHED = '[HASHED]'
/** Placeholder for a missing token. */
export const NONE = '[NONE]'
/** Placeholder for the days of an account that never expires. */
export const NEVER = 'never'

export const EXPORT_HEADER = EXPORT_COLUMNS.join('|')

/** Spreadsheets would evaluate a cell that starts like this. */
const FORMULA = /^[=+\-@\t\r]/

/** Encodes a value for the file: without line breaks, unescaped pipes or formulas. */
export function toCell(value: string): string {
  const flat = value.replace(/[\r\n]+/g, ' ').replaceAll('|', String.raw`\|`)
  return FORMULA.test(flat) ? `'${flat}` : flat
}

/** Decodes a value that `toCell` encoded. */
export function fromCell(cell: string): string {
  const trimmed = cell.trim().replaceAll(String.raw`\|`, '|')
  return /^'[=+\-@]/.test(trimmed) ? trimmed.slice(1) : trimmed
}

/** Splits a line into its decoded fields. */
export const splitLine = (line: string): string[] => line.split(/(?<!\\)\|/).map(fromCell)

const HASH_MARKS = new Set(['[hashed]', 'hashed', '(hashed)', '<hashed>', '***hashed***'])
const NONE_MARKS = new Set(['', '[none]', 'none', '(none)', '<none>', 'null', 'n/a', '-'])

export const isHashMark = (value: string): boolean => HASH_MARKS.has(value.toLowerCase())
/** Returns whether a value is not a usable token: a placeholder for none, or a mask. */
export const isNoToken = (value: string): boolean =>
  NONE_MARKS.has(value.toLowerCase()) || isMask(value)
