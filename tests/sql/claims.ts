import type pg from 'pg'
import ts from 'typescript'
import type { Column } from './describe'

/** The JavaScript types to which the driver converts, as app/platform/db sets it up. */
const JS: Record<string, readonly string[]> = {
  boolean: ['bool'],
  number: ['int2', 'int4', 'int8', 'float4', 'float8', 'oid'],
  Date: ['timestamptz', 'timestamp'],
  json: ['json', 'jsonb'],
  Buffer: ['bytea'],
  'boolean[]': ['_bool'],
  'number[]': ['_int2', '_int4', '_float4', '_float8', '_oid'],
  'Date[]': ['_timestamptz', '_timestamp'],
  'string[]': ['_text', '_varchar', '_uuid', '_int8', '_numeric', '_date', '_name'],
}

/** Types and columns, as the database describes them. */
export type Catalogue = {
  /** Returns the type of a column's values in JavaScript. Unlisted types arrive as text. */
  kindOf: (typeId: number) => string
  /** Returns the same for a parameter: the driver writes arrays of types that it cannot read. */
  parameterKindOf: (typeId: number) => string
  /** Returns the values of an enum; undefined for free text, whose values only the code knows. */
  wordsOf: (column: Column) => readonly string[] | undefined
  /** Returns the column from which a result is taken unchanged; undefined for an expression. */
  originOf: (column: Column) => Origin | undefined
}

type Origin = { table: string; column: string; isNotNull: boolean }

export async function readCatalogue(client: pg.Client): Promise<Catalogue> {
  const types = await client.query<{ oid: number; name: string; item: number }>(
    `select oid::int, typname as name, case when typcategory = 'A' then typelem::int else 0 end as item
     from pg_type`,
  )
  const enums = await client.query<{ oid: number; words: string[] }>(
    `select enumtypid::int as oid, array_agg(enumlabel::text) as words from pg_enum group by 1`,
  )
  const columns = await client.query<Origin & { key: string }>(
    `select attrelid || '.' || attnum as key, relname as table, attname as column,
       attnotnull as "isNotNull"
     from pg_attribute join pg_class on pg_class.oid = attrelid where attnum > 0`,
  )
  const names = new Map(types.rows.map(({ oid, name }) => [oid, name]))
  const items = new Map(types.rows.map(({ oid, item }) => [oid, item]))
  const kinds = new Map(Object.entries(JS).flatMap(([js, all]) => all.map((one) => [one, js])))
  const labels = new Map(enums.rows.map(({ oid, words }) => [oid, words]))
  const origins = new Map(columns.rows.map(({ key, ...origin }) => [key, origin]))
  const kindOf = (typeId: number) => kinds.get(names.get(typeId) ?? '') ?? 'string'
  return {
    kindOf,
    parameterKindOf: (typeId) => {
      const item = items.get(typeId) ?? 0
      return item === 0 ? kindOf(typeId) : `${kindOf(item)}[]`
    },
    wordsOf: ({ typeId }) => labels.get(typeId),
    originOf: ({ origin }) => origin && origins.get(`${origin.table}.${origin.column}`),
  }
}

/** Returns the type that a call of `row`, `one` or `rows` claims for its rows; undefined for `run`. */
export function claimedType(checker: ts.TypeChecker, call: ts.CallExpression): ts.Type | undefined {
  const awaited = checker.getAwaitedType(checker.getTypeAtLocation(call))
  if (!awaited) return undefined
  const [item] = checker.isArrayType(awaited)
    ? checker.getTypeArguments(awaited as ts.TypeReference)
    : [checker.getNonNullableType(awaited)]
  return item && item.flags & ts.TypeFlags.NumberLike ? undefined : item
}

type Answer = { columns: readonly Column[]; text: string; catalogue: Catalogue }

/**
 * Returns how a claimed type differs from the columns of the statement, in words. Detects null only
 * in columns taken unchanged from a table, and does not check the contents of JSON and free text.
 */
export function wrongClaims(checker: ts.TypeChecker, claimed: ts.Type, response: Answer): string[] {
  const isOpen = checker.getIndexInfosOfType(claimed).length > 0
  const properties = checker.getPropertiesOfType(claimed)
  // No claim: the caller only checks whether there is a row.
  if (isOpen || properties.length === 0) return []
  const columns = new Map(response.columns.map((column) => [column.name, column]))
  const unclaimed = response.columns
    .filter(({ name }) => !properties.some((one) => one.name === name))
    .map(({ name }) => `column "${name}" is not claimed`)
  return properties
    .flatMap((property) => {
      const column = columns.get(property.name)
      const type = checker.getTypeOfSymbol(property)
      if (!column) return [`"${property.name}" is claimed and no column`]
      return problemsOf(checker, type, { column, ...response }).map(
        (problem) => `"${column.name}" is claimed as ${checker.typeToString(type)} and ${problem}`,
      )
    })
    .concat(unclaimed)
}

function problemsOf(
  checker: ts.TypeChecker,
  type: ts.Type,
  { column, text, catalogue }: Answer & { column: Column },
): string[] {
  const kind = catalogue.kindOf(column.typeId)
  const problems: string[] = []
  if (
    mayBeNull(catalogue.originOf(column), text) &&
    !checker.isTypeAssignableTo(checker.getNullType(), type)
  )
    problems.push('may be null')
  const bare = checker.getNonNullableType(type)
  const words = kind === 'string' ? catalogue.wordsOf(column) : undefined
  for (const word of words ?? [])
    if (!checker.isTypeAssignableTo(checker.getStringLiteralType(word), bare))
      problems.push(`may be '${word}'`)
  if (!words && !takes(checker, bare, kind)) problems.push(`is ${kind}`)
  return problems
}

/**
 * Returns whether a column may be null, as far as is known. A column of an outer-joined table may.
 * Any other may, unless it is declared not null or the statement excludes null.
 */
function mayBeNull(origin: Origin | undefined, text: string): boolean {
  if (!origin) return false
  const isJoined = new RegExp(String.raw`\b(left join|full join) ${origin.table}\b|\bright join\b`)
  if (isJoined.test(text)) return true
  return !origin.isNotNull && !new RegExp(`\\b${origin.column} (is not null|[<>=])`).test(text)
}

/** Returns whether a type accepts the driver's value of a column. */
function takes(checker: ts.TypeChecker, type: ts.Type, kind: string): boolean {
  if (type.flags & ts.TypeFlags.Unknown || kind === 'json') return true
  if (kind === 'boolean') return checker.isTypeAssignableTo(checker.getBooleanType(), type)
  if (kind === 'number') return checker.isTypeAssignableTo(checker.getNumberType(), type)
  if (kind === 'string') return checker.isTypeAssignableTo(type, checker.getStringType())
  const [item] = checker.isArrayType(type) ? checker.getTypeArguments(type as ts.TypeReference) : []
  if (kind.endsWith('[]')) return item !== undefined && takes(checker, item, kind.slice(0, -2))
  return type.getSymbol()?.name === kind
}

/** The kinds of values that a placeholder accepts, by the kind of its parameter. */
const GIVEN: Record<string, readonly string[]> = {
  string: ['string'],
  number: ['number'],
  boolean: ['boolean'],
  Date: ['Date', 'string'],
  Buffer: ['Buffer'],
  json: ['string'],
}

/** Returns the problems of the values of a statement, in words. */
export function wrongValues(
  checker: ts.TypeChecker,
  values: readonly ts.Expression[],
  { parameters, catalogue }: { parameters: readonly number[]; catalogue: Catalogue },
): string[] {
  return values.flatMap((value, i) => {
    const kind = catalogue.parameterKindOf(parameters[i] ?? 0)
    const type = checker.getNonNullableType(checker.getTypeAtLocation(value))
    if (isGiven(checker, type, kind)) return []
    return [`$${i + 1}, ${value.getText()}, is ${checker.typeToString(type)} for ${kind}`]
  })
}

function isGiven(checker: ts.TypeChecker, type: ts.Type, kind: string): boolean {
  if (type.flags & (ts.TypeFlags.Never | ts.TypeFlags.Null)) return true
  if (type.isUnion()) return type.types.every((one) => isGiven(checker, one, kind))
  if (kind.endsWith('[]')) {
    const items = checker.isArrayLikeType(type)
      ? checker.getTypeArguments(type as ts.TypeReference)
      : []
    return items.length > 0 && items.every((item) => isGiven(checker, item, kind.slice(0, -2)))
  }
  const base = checker.getBaseTypeOfLiteralType(type)
  const isNamed = (name: string) =>
    checker.typeToString(base) === name || base.getSymbol()?.name === name
  return GIVEN[kind]?.some(isNamed) ?? false
}
