import { readWholeNumber } from '~/lib/digits'
import { linesOf } from '~/lib/text'
import { USER_ROLES, type UserRole } from '../accounts/types'
import { PLAN_NAMES, type PlanName } from '../plans/types'
import { EXPORT_COLUMNS, isHashMark, isNoToken, NEVER, splitLine } from './export-format'
import { defaultExpireDays, IMPORT_DEFAULTS, USER_RULES } from './rules'

/** Replaces the hashed-password marker. It cannot be used to sign in (decision Q-18). */
export const PLACEHOLDER_PASSWORD = 'password-not-set'

export const TOO_MANY_USERS = `Maximum ${USER_RULES.importAtOnce} users allowed at once`
export const NO_DATA = 'No Data Found'

/** A line with at least this many fields has the export's columns. */
const FULL_FORMAT_FIELDS = 10
/** The columns of any other line. All but the first two may be missing. */
const SIMPLE_COLUMNS = ['username', 'password', 'expireDays', 'bearerToken'] as const

/** One user of an import, before it is checked against existing accounts. */
export type ImportEntry = {
  username: string
  email: string | null
  password: string
  role: UserRole
  plan: PlanName
  videoLimit: number
  speedLimit: number
  videoGenerationSpeed: number
  /** Null if the account never expires. */
  expireDays: number | null
  bearerToken: string | null
  isActive: boolean
}

/** The texts of a line by column, and those beyond its columns. */
export type Columns = { columns: Partial<Record<string, string>>; beyond: readonly string[] }

/** A line of the text: an entry with the texts it was read from, or what is wrong with it. */
export type ImportLine = { line: number; text: string } & (
  ({ entry: ImportEntry } & Columns) | { problem: string }
)

/**
 * Parses a pasted text into lines, without blank lines and comments. Stops at one line more than an
 * import takes.
 */
export function parseImport(text: string): ImportLine[] {
  const lines: ImportLine[] = []
  for (const [index, raw] of linesOf(text).entries()) {
    const line = parseLine(raw.trim(), index + 1)
    if (line) lines.push(line)
    if (lines.length > USER_RULES.importAtOnce) break
  }
  return lines
}

function parseLine(text: string, line: number): ImportLine | null {
  const isHeader = /^username\|(phone|password)\b/i.test(text)
  if (text === '' || text.startsWith('#') || isHeader) return null
  const fields = splitLine(text)
  if (fields.length < 2) {
    const problem = `Line ${line}: Invalid format (minimum: username|password)`
    return { line, text, problem }
  }
  const names = fields.length >= FULL_FORMAT_FIELDS ? EXPORT_COLUMNS : SIMPLE_COLUMNS
  const columns = Object.fromEntries(names.map((name, i) => [name, fields[i] ?? '']))
  return { line, text, entry: toEntry(columns), columns, beyond: fields.slice(names.length) }
}

/** Unvalidated values of one user, from a line or an API call. */
export type RawEntry = Partial<Record<keyof ImportEntry, unknown>>

/**
 * Converts raw values to an entry. An unknown role becomes user, unreadable numbers get defaults,
 * and markers are replaced by their meaning.
 */
export function toEntry(raw: RawEntry): ImportEntry {
  const text = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  const token = text(raw.bearerToken)
  const password = typeof raw.password === 'string' ? raw.password : text(raw.password)
  const role =
    USER_ROLES.find((known) => known === text(raw.role).toLowerCase()) ?? IMPORT_DEFAULTS.role
  return {
    username: text(raw.username),
    email: text(raw.email) || null,
    password: isHashMark(password) ? PLACEHOLDER_PASSWORD : password,
    role,
    plan: planOf(text(raw.plan)),
    videoLimit: readWholeNumber(raw.videoLimit) ?? IMPORT_DEFAULTS.videoLimit,
    speedLimit: readWholeNumber(raw.speedLimit) ?? IMPORT_DEFAULTS.speedLimit,
    videoGenerationSpeed:
      readWholeNumber(raw.videoGenerationSpeed) ?? IMPORT_DEFAULTS.videoGenerationSpeed,
    expireDays: daysOf(raw.expireDays, role),
    bearerToken: isNoToken(token) ? null : token,
    isActive: raw.isActive !== false && text(raw.isActive).toLowerCase() !== 'false',
  }
}

const planOf = (text: string): PlanName =>
  PLAN_NAMES.find((known) => known.toLowerCase() === text.toLowerCase()) ?? IMPORT_DEFAULTS.plan

function daysOf(value: unknown, role: UserRole): number | null {
  if (typeof value === 'string' && value.trim().toLowerCase() === NEVER) return null
  return readWholeNumber(value) ?? defaultExpireDays(role)
}

/** The text that Load Example puts into the box. Shows both formats. */
export const IMPORT_EXAMPLE = `# Simple: username|password|expireDays|token (the last two may be left out)
923001234567|secret123
923007654321|secret456|30
# Full: the columns of Download All Data
${EXPORT_COLUMNS.join('|')}
923005550101|923005550101|secret789|user|Business|400|5|45|0|30|[NONE]|true|`
