import { isMask } from '../../tokens/rules'
import {
  ACCOUNT_COLUMNS,
  EXPORT_COLUMNS,
  FIELD_NAMES,
  isColumnName,
  numberProblem,
  type ColumnName,
  type FieldName,
} from '../account-fields'
import { NEVER } from '../users/export-format'
import { isDateLike } from './import-days'
import type { ImportEntry } from './import-rules'
import type { Columns } from './import-table.server'

/** Returns the message for a value that is refused. It names the column, if it does not already. */
export function refusal(column: string | number | undefined, message: string): string {
  const label = labelOf(column)
  if (label === undefined || message.toLowerCase().includes(label.toLowerCase())) return message
  return `${label}: ${message}`
}

const labelOf = (column: string | number = ''): string | undefined =>
  typeof column === 'string' && isColumnName(column) ? ACCOUNT_COLUMNS[column].label : undefined

/**
 * The values of a line that are not used as typed, one sentence each: for every line, and only if
 * the line creates an account.
 */
export type Notes = { always: string[]; ifNew: string[] }

type Line = { entry: ImportEntry; unknown: readonly string[] } & Columns
/** Returns the username under which a number is stored. */
type StoredName = (typed: string) => string

/**
 * Returns what a line's import does with values that it cannot use. They do not refuse the line
 * (§5), and the administrator would not notice otherwise. A number that is only written in another way is used.
 */
export function notesOf({ entry, columns, beyond, unknown }: Line, stored: StoredName): Notes {
  const typed = (column: string) => columns[column] ?? ''
  const note = (column: ColumnName, problem: string) => {
    const { label } = ACCOUNT_COLUMNS[column]
    return NUMERIC.test(typed(column))
      ? `${label} "${typed(column)}": ${problem}`
      : `${label}: ${problem}`
  }
  const unless = (isUsed: boolean, column: ColumnName, problem: string) =>
    isUsed || typed(column) === '' ? [] : [note(column, problem)]

  const asTyped = (column: FieldName | 'expireDays', problem: string | null) =>
    unless(problem === null, column, `${problem}, ${entry[column] ?? NEVER} is used`)
  const days = typed('expireDays')
  const phone = typed('phone')
  const isOwnPhone = stored(phone) === stored(entry.username)
  return {
    always: [
      ...unless(isOwnPhone, 'phone', 'not used, because the username is the phone number'),
      ...FIELD_NAMES.flatMap((name) => asTyped(name, ACCOUNT_COLUMNS[name].problem(typed(name)))),
      ...(beyond.some((text) => text !== '') ? [beyondText(columns)] : []),
      ...unknown.map((heading) => `The column "${heading}" is not used`),
    ],
    ifNew: [
      ...(isEnding(days) ? [] : asTyped('expireDays', numberProblem(days))),
      ...unless(!isMask(typed('bearerToken')), 'bearerToken', 'only a mask, no token is set'),
    ],
  }
}

/** Only such values are repeated in a note. Others may be a password or token in the wrong column. */
const NUMERIC = /^[\d.,+-]{1,20}$/

/** What the column of days takes besides a number: `never`, a date, or a number with the word. */
const isEnding = (text: string) =>
  text.toLowerCase() === NEVER || isDateLike(text) || /^\p{Nd}+\s*d(?:ays?)?$/iu.test(text)

function beyondText(columns: Columns['columns']): string {
  const used = Object.keys(columns).length
  const isSimple = used < EXPORT_COLUMNS.length
  const hint = isSimple ? ': a line with all columns has 10 or more' : ''
  return `Values after the first ${used} are not used${hint}`
}
