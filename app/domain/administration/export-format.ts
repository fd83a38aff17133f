// The text form of accounts, one a line, fields between pipes: what the export writes and what the
// import reads (specification §3 and §5; decision Q-30).

/** In the order of the file. */
export const EXPORT_COLUMNS = [
  'username',
  'phone',
  'password',
  'role',
  'plan',
  'videoLimit',
  'speedLimit',
  'videoGenerationSpeed',
  'videosGeneratedThisMonth',
  'expireDays',
  'bearerToken',
  'isActive',
  'createdAt',
] as const

/** Stands for a password that is stored hashed. */
export const HASHED = '[HASHED]'
/** Stands for a token that is not there. */
export const NONE = '[NONE]'
/** Stands for the days of an account without an end. */
export const NEVER = 'never'

export const EXPORT_HEADER = EXPORT_COLUMNS.join('|')

/** Spreadsheets would run a cell that starts like this. */
const FORMULA = /^[=+\-@\t\r]/

/** One value as the file holds it: no line break, no bare pipe, nothing a spreadsheet would run. */
export function toCell(value: string): string {
  const flat = value.replace(/[\r\n]+/g, ' ').replaceAll('|', String.raw`\|`)
  return FORMULA.test(flat) ? `'${flat}` : flat
}

/** The value that `toCell` was given. */
export function fromCell(cell: string): string {
  const trimmed = cell.trim().replaceAll(String.raw`\|`, '|')
  return /^'[=+\-@]/.test(trimmed) ? trimmed.slice(1) : trimmed
}

/** The fields of a line. */
export const splitLine = (line: string): string[] => line.split(/(?<!\\)\|/).map(fromCell)

const HASH_MARKS = new Set(['[hashed]', 'hashed', '(hashed)', '<hashed>', '***hashed***'])
const NONE_MARKS = new Set(['', '[none]', 'none', '(none)', '<none>', 'null', 'n/a', '-'])

export const isHashMark = (value: string): boolean => HASH_MARKS.has(value.toLowerCase())
/** No token, or only the mask of one: what a mask stands for is not in the file. */
export const isNoToken = (value: string): boolean =>
  NONE_MARKS.has(value.toLowerCase()) || value.includes('•')
