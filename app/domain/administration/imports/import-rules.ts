import { figure } from '~/lib/figures'
import { linesOf } from '~/lib/text'
import { hasMoreLines, MOST_LINE_CHARACTERS, TOO_MANY_LINES } from '~/lib/text-limits'
import { bareToken } from '../../tokens/rules'
import {
  ACCOUNT_COLUMNS,
  asText,
  EXPORT_COLUMNS,
  readFields,
  type ImportedFields,
} from '../account-fields'
import { HASHED, isHashMark, isNoToken } from '../users/export-format'
import { layoutOf, type Layout } from './import-columns'
import { readEnding } from './import-days'
import { defaultExpireDays, USER_RULES } from '../rules'

/** Replaces the hashed-password marker. It cannot be used to sign in (decision Q-18). */
export const PLACEHOLDER_PASSWORD = 'password-not-set'

export const TOO_MANY_USERS = `Maximum ${USER_RULES.importAtOnce} users allowed at once`
export const NO_DATA = 'No Data Found'

/** A line with at least this many fields has the export's columns. */
const FULL_FORMAT_FIELDS = 10
/** The columns of any other line. All but the first two may be missing. */
const SIMPLE_COLUMNS = ['username', 'password', 'expireDays', 'bearerToken'] as const

/** One user of an import, before it is checked against existing accounts. */
export type ImportEntry = ImportedFields & {
  username: string
  email: string | null
  password: string
  /** Null if the account never expires. Not used if `endsOn` is set. */
  expireDays: number | null
  /** The day on which the account ends, YYYY-MM-DD. */
  endsOn: string | null
  /** Why the value of the column of days is refused. */
  endingProblem: string | null
  /** Whether the column of plans names none of them. Such a line must not sell another one. */
  isPlanUnknown: boolean
  bearerToken: string | null
  /** The columns with a value. The others of an account that exists do not change. */
  given: readonly string[]
}

/** The texts of a line by column, and those beyond its columns. */
export type Columns = { columns: Partial<Record<string, string>>; beyond: readonly string[] }

/** A line of the text: an entry with the texts it was read from, or what is wrong with it. */
export type ImportLine = { line: number; text: string } & (
  ({ entry: ImportEntry; unknown: readonly string[] } & Columns) | { problem: string }
)

/**
 * Parses a pasted text into lines, without blank lines, comments and headings. Stops at one line more
 * than an import takes. A text of too many lines is one line with that problem: nothing of it is split. The
 * first line names the headings that are not known (`unknown`).
 */
export function parseImport(text: string): ImportLine[] {
  if (hasMoreLines(text)) return [{ line: 1, text: '', problem: TOO_MANY_LINES }]
  const given = text.replace(/^\uFEFF/, '')
  const layout = layoutOf(given)
  const lines: ImportLine[] = []
  for (const [index, raw] of linesOf(given).entries()) {
    if (raw.length > MOST_LINE_CHARACTERS) {
      lines.push(tooLongLine(raw, index + 1))
      continue
    }
    if (layout.isHeading(raw)) continue
    const first = lines.length === 0
    lines.push(parseLine(raw, index + 1, first ? layout : { ...layout, unknown: [] }))
    if (lines.length > USER_RULES.importAtOnce) break
  }
  return lines
}

const tooLongLine = (raw: string, line: number): ImportLine => ({
  line,
  text: raw,
  problem: `Line ${line} has more than ${figure(MOST_LINE_CHARACTERS)} characters`,
})

function parseLine(raw: string, line: number, { split, columns, unknown }: Layout): ImportLine {
  const text = raw.trim()
  // A tab at the start of a line is an empty cell.
  const fields = split(columns ? raw : text)
  if (fields.length < 2) {
    const problem = `Line ${line}: Invalid format (minimum: username|password)`
    return { line, text, problem }
  }
  const names = columns ?? (fields.length >= FULL_FORMAT_FIELDS ? EXPORT_COLUMNS : SIMPLE_COLUMNS)
  const values: Columns['columns'] = Object.fromEntries(
    names.flatMap((name, i) => (name === null ? [] : [[name, fields[i] ?? '']])),
  )
  // A line without a password changes an account, and a new one gets a link to set one.
  const withPassword = values.password ? values : { ...values, password: HASHED }
  const beyond = fields.slice(names.length)
  return { line, text, entry: toEntry(withPassword), columns: values, beyond, unknown }
}

/** Unvalidated values of one user, from a line or an API call. */
export type RawEntry = Partial<Record<string, unknown>>

/**
 * Converts raw values to an entry. An unknown role becomes user, unreadable numbers get defaults, an
 * unknown plan is marked, and markers are replaced by their meaning.
 */
export function toEntry(raw: RawEntry): ImportEntry {
  const token = bareToken(asText(raw.bearerToken))
  const password = typeof raw.password === 'string' ? raw.password : asText(raw.password)
  const fields = readFields(raw)
  const fallback = defaultExpireDays(fields.role)
  const ending = readEnding(raw.expireDays, fallback)
  const plan = asText(raw.plan)
  return {
    ...fields,
    username: asText(raw.username),
    email: asText(raw.email) || null,
    password: isHashMark(password) ? PLACEHOLDER_PASSWORD : password,
    isPlanUnknown: plan !== '' && ACCOUNT_COLUMNS.plan.read(plan) === undefined,
    expireDays: 'days' in ending ? ending.days : fallback,
    endsOn: 'day' in ending ? ending.day : null,
    endingProblem: 'problem' in ending ? ending.problem : null,
    bearerToken: isNoToken(token) ? null : token,
    given: Object.keys(raw).filter(
      (name) => typeof raw[name] === 'boolean' || asText(raw[name]) !== '',
    ),
  }
}
