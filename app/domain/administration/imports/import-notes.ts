import { isWholeNumber, readWholeNumber } from '~/lib/digits'
import { USER_ROLES } from '../../context'
import { isMask } from '../../tokens/rules'
import { EXPORT_COLUMNS, NEVER } from '../users/export-format'
import { isDateLike } from './import-days'
import { readFlag, type Columns, type ImportEntry } from './import-rules'

/** What the messages of an import call its columns. */
const COLUMN_NAMES: Partial<Record<string, string>> = {
  username: 'username',
  email: 'e-mail',
  phone: 'phone',
  password: 'password',
  role: 'role',
  plan: 'plan',
  videoLimit: 'daily video limit',
  speedLimit: 'speed limit',
  videoGenerationSpeed: 'generation speed',
  expireDays: 'days',
  bearerToken: 'token',
  isActive: 'active',
}

/** Returns the message for a value that is refused. It names the column, if it does not already. */
export function refusal(column: string | number | undefined, message: string): string {
  const name = COLUMN_NAMES[column ?? '']
  if (name === undefined || message.toLowerCase().includes(name)) return message
  return `${capitalised(name)}: ${message}`
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

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
  const note = (column: string, problem: string) => {
    const name = capitalised(COLUMN_NAMES[column] ?? column)
    return NUMERIC.test(typed(column))
      ? `${name} "${typed(column)}": ${problem}`
      : `${name}: ${problem}`
  }
  const unless = (isUsed: boolean, column: string, problem: string) =>
    isUsed || typed(column) === '' ? [] : [note(column, problem)]

  const number = (column: (typeof NUMBERS)[number] | 'expireDays') => {
    const isWhole = isWholeNumber(typed(column))
    const isUsed = isWhole && readWholeNumber(typed(column)) !== null
    const problem = isWhole ? 'too large' : 'not a whole number'
    return unless(isUsed, column, `${problem}, ${entry[column] ?? NEVER} is used`)
  }
  const days = typed('expireDays')
  const phone = typed('phone')
  const isOwnPhone = stored(phone) === stored(entry.username)
  return {
    always: [
      ...unless(isOwnPhone, 'phone', 'not used, because the username is the phone number'),
      ...unless(isOneOf(USER_ROLES, typed('role')), 'role', `unknown, ${entry.role} is used`),
      ...NUMBERS.flatMap(number),
      ...unless(
        readFlag(typed('isActive')) !== null,
        'isActive',
        `neither true nor false, ${entry.isActive} is used`,
      ),
      ...(beyond.some((text) => text !== '') ? [beyondText(columns)] : []),
      ...unknown.map((heading) => `The column "${heading}" is not used`),
    ],
    ifNew: [
      ...(isEnding(days) ? [] : number('expireDays')),
      ...unless(!isMask(typed('bearerToken')), 'bearerToken', 'only a mask, no token is set'),
    ],
  }
}

/** Only such values are repeated in a note. Others may be a password or token in the wrong column. */
const NUMERIC = /^[\d.,+-]{1,20}$/
const NUMBERS = ['videoLimit', 'speedLimit', 'videoGenerationSpeed'] as const

/** What the column of days takes besides a number: `never`, a date, or a number with the word. */
const isEnding = (text: string) =>
  text.toLowerCase() === NEVER || isDateLike(text) || /^\p{Nd}+\s*d(?:ays?)?$/iu.test(text)

const isOneOf = (known: readonly string[], text: string): boolean =>
  known.some((one) => one.toLowerCase() === text.toLowerCase())

function beyondText(columns: Columns['columns']): string {
  const used = Object.keys(columns).length
  const isSimple = used < EXPORT_COLUMNS.length
  const hint = isSimple ? ': a line with all columns has 10 or more' : ''
  return `Values after the first ${used} are not used${hint}`
}
