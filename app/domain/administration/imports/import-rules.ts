import { bareToken } from '../../tokens/rules'
import { ACCOUNT_COLUMNS, asText, readFields, type ImportedFields } from '../account-fields'
import { isHashMark, isNoToken } from '../users/export-format'
import { readEnding } from './import-days'
import { defaultExpireDays, USER_RULES } from '../rules'

/** Replaces the hashed-password marker. It cannot be used to sign in (decision Q-18). */
export const PLACEHOLDER_PASSWORD = 'password-not-set'

export const TOO_MANY_USERS = `Maximum ${USER_RULES.importAtOnce} users allowed at once`
export const NO_DATA = 'No Data Found'

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
  /** Name and note of a customer, a line each. '' if there is neither. */
  note: string
  /** The columns with a value. The others of an account that exists do not change. */
  given: readonly string[]
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
    note: [asText(raw.name), asText(raw.note)].filter((text) => text !== '').join('\n'),
    given: Object.keys(raw).filter(
      (name) => typeof raw[name] === 'boolean' || asText(raw[name]) !== '',
    ),
  }
}
