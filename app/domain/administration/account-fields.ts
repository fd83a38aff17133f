import { isWholeNumber, readWholeNumber } from '~/lib/digits'
import { headingReader } from '~/lib/table'
import { USER_ROLES, type UserRole } from '../context'
import type { PlanNumbers } from '../plans/numbers'
import { PLAN_NAMES, type PlanName } from '../plans/types'
import { IMPORT_DEFAULTS } from './rules'

/**
 * What administrators set of an account and is stored as it is. Its name, end, token and password have
 * rules of their own.
 */
export type AccountFields = PlanNumbers & {
  role: UserRole
  plan: PlanName | null
  isActive: boolean
}
export type FieldName = keyof AccountFields

/** The fields of an import's line, which always names a plan. */
export type ImportedFields = AccountFields & { plan: PlanName }

/** Some of the fields; undefined as if it were missing. */
export type SomeFields = { [Name in FieldName]?: AccountFields[Name] | undefined }

type Column = {
  /** Names the column in the messages of an import. */
  label: string
  /** Words of headings (`headingReader`). */
  headings: string
}

type Field<Value> = Column & {
  /** Reads a value of an import, or returns undefined if it is none. */
  read: (value: unknown) => Value | undefined
  /** The value of a new account if its line has none that can be read. */
  initial: Value
  /** Says why a text is not used as it is typed, or returns null. */
  problem: (text: string) => string | null
  /** How the page of a change shows it. Null: it is part of what was sold, which is shown together. */
  shown: ((facts: Partial<AccountFields>) => string) | null
}

/** Returns a value of an import as text; '' if it is neither text nor a number. */
export const asText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''

/** Says why the text of a number is not used as it is typed, or returns null. */
export function numberProblem(text: string): string | null {
  if (!isWholeNumber(text)) return 'not a whole number'
  return readWholeNumber(text) === null ? 'too large' : null
}

const numberField = (initial: number): Omit<Field<number>, keyof Column> => ({
  read: (value) => readWholeNumber(value) ?? undefined,
  initial,
  problem: numberProblem,
  shown: null,
})

const oneOfThese = <Name extends string>(names: readonly Name[]) => {
  return (value: unknown): Name | undefined =>
    names.find((name) => name.toLowerCase() === asText(value).toLowerCase())
}
const readRole = oneOfThese(USER_ROLES)

/** How spreadsheets in other languages write true and false. */
const TRUE = 'true wahr vrai verdadero verdadeiro vero waar prawda истина doğru active 1'.split(' ')
const FALSE = 'false falsch faux falso onwaar fałsz ложь yanliş yanlış inactive disabled 0'.split(
  ' ',
)

function readFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  const word = asText(value).toLowerCase()
  if (FALSE.includes(word)) return false
  return TRUE.includes(word) ? true : undefined
}

/**
 * The columns of an account, in the order of the export (specification §§3 and 5). Those with `read` are
 * its fields: the list and its JSON, import, export, edit, bulk change, undo and the activity log are
 * made from them. Their columns in the database are in account-columns.server.ts, their limits in
 * schemas.ts.
 */
export const ACCOUNT_COLUMNS = {
  username: { label: 'Username', headings: 'username|user|login|account' },
  phone: {
    label: 'Phone',
    headings:
      'phone|phonenumber|phoneno|number|mobile|mobilenumber|mobileno|whatsapp|whatsappnumber|whatsappno|cell|cellphone|cellnumber|cellno|tel|telephone|telno|contact|contactnumber|contactno|mob|mobno|cellphoneno|wa|wano|handy',
  },
  /** Not in the export. */
  email: { label: 'E-mail', headings: 'email|mail|emailaddress' },
  password: { label: 'Password', headings: 'password|pass|passwd|pw|pin' },
  role: {
    label: 'Role',
    headings: 'role',
    read: readRole,
    initial: IMPORT_DEFAULTS.role,
    problem: (text: string) => (readRole(text) ? null : 'unknown'),
    shown: ({ role = '' }) => role,
  },
  plan: {
    label: 'Plan',
    headings: 'plan|planname|package|packagename|pkg|subscription',
    read: oneOfThese(PLAN_NAMES),
    initial: IMPORT_DEFAULTS.plan,
    /** A line with an unknown plan is refused. */
    problem: () => null,
    shown: null,
  },
  videoLimit: {
    label: 'Daily video limit',
    headings: 'videolimit|dailylimit|dailyvideolimit|limit|quota|videosperday',
    ...numberField(IMPORT_DEFAULTS.videoLimit),
  },
  speedLimit: {
    label: 'Speed limit',
    headings: 'speedlimit',
    ...numberField(IMPORT_DEFAULTS.speedLimit),
  },
  videoGenerationSpeed: {
    label: 'Generation speed',
    headings: 'videogenerationspeed|generationspeed',
    ...numberField(IMPORT_DEFAULTS.videoGenerationSpeed),
  },
  videosGeneratedThisMonth: { label: 'Videos this month', headings: 'videosgeneratedthismonth' },
  expireDays: {
    label: 'Days',
    headings:
      'expiredays|days|daysleft|expiry|expirydate|expires|expireson|expiration|expirationdate|validuntil|end|ends|endson|enddate|until',
  },
  bearerToken: { label: 'Token', headings: 'bearertoken|token' },
  isActive: {
    label: 'Active',
    headings: 'isactive|active|status',
    read: readFlag,
    initial: true,
    problem: (text: string) => (readFlag(text) === undefined ? 'neither true nor false' : null),
    shown: ({ isActive }) => (isActive === false ? 'Inactive' : 'Active'),
  },
  createdAt: { label: 'Created', headings: 'createdat|created' },
  /** Not in the export either. Both are kept as the note about a customer. */
  name: {
    label: 'Name',
    headings:
      '(?:full|real|first)?name|(?:customer|client|member|person|buyer)s?(?:name)?|naam|نام',
  },
  note: {
    label: 'Note',
    headings: '(?:note|remark|comment|memo|detail)s?|description|info|نوٹ',
  },
} satisfies { [Name in FieldName]: Field<ImportedFields[Name]> } & Record<
  string,
  Column & { [Part in keyof Field<unknown>]?: unknown }
>

export type ColumnName = keyof typeof ACCOUNT_COLUMNS

export const isColumnName = (name: string): name is ColumnName => name in ACCOUNT_COLUMNS
const isFieldName = (name: string): name is FieldName =>
  isColumnName(name) && 'read' in ACCOUNT_COLUMNS[name]

export const COLUMN_NAMES: readonly ColumnName[] = Object.keys(ACCOUNT_COLUMNS).filter(isColumnName)
export const FIELD_NAMES: readonly FieldName[] = Object.keys(ACCOUNT_COLUMNS).filter(isFieldName)

/** The columns of the export, in its order. */
export const EXPORT_COLUMNS = COLUMN_NAMES.filter(
  (name) => name !== 'email' && name !== 'name' && name !== 'note',
)

/** Returns the column that a heading names, or null. */
export const columnOf = headingReader(
  COLUMN_NAMES.map((name) => [name, ACCOUNT_COLUMNS[name].headings] as const),
)

/** Returns some values of an object and nothing else. */
export function pickFields<Fields extends object, Name extends keyof Fields>(
  fields: Fields,
  names: readonly Name[],
): Pick<Fields, Name>
export function pickFields(
  fields: Record<string, unknown>,
  names: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, fields[name]]))
}

/** Returns the fields of an account and nothing else. */
export const fieldsOf = (account: AccountFields): AccountFields => pickFields(account, FIELD_NAMES)

/** Returns the fields that have a value. */
export function givenFields(some: SomeFields): Partial<AccountFields>
export function givenFields(some: SomeFields): object {
  return pickFields(
    some,
    FIELD_NAMES.filter((name) => some[name] !== undefined),
  )
}

/** Reads the fields of an import's line or entry, as leniently as `read` and `initial` say. */
export function readFields(raw: Partial<Record<string, unknown>>): ImportedFields
export function readFields(raw: Partial<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    FIELD_NAMES.map((name) => {
      const { read, initial } = ACCOUNT_COLUMNS[name]
      return [name, read(raw[name]) ?? initial]
    }),
  )
}
