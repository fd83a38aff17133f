import type pg from 'pg'
import ts from 'typescript'
import { messageOf } from '../../app/lib/error-facts'
import { claimedType, wrongClaims, wrongValues, type Catalogue } from './claims'
import { composer, Unknown, type Composed } from './compose'
import { describe } from './describe'
import { placeOf, type Source } from './program'

/** One text that one call of `row`, `one`, `rows` or `run` can send. */
export type Statement = Composed & { place: string; call: ts.CallExpression }

export type Statements = {
  all: readonly Statement[]
  /**
   * Calls whose statement cannot be derived, and templates that belong to none; described in words.
   */
  unchecked: readonly string[]
}

const PORT = 'app/platform/db/port.ts'

/** Finds every statement that is sent through the database's port. */
export function findStatements(source: Source, root: string): Statements {
  const { compose, seen } = composer(source)
  const all: Statement[] = []
  const unchecked: string[] = []
  const calls = ['row', 'one', 'rows', 'run'].flatMap((name) => source.callsNamed(name))
  for (const call of calls) {
    const [query] = call.arguments
    const method = source.checker.getResolvedSignature(call)?.declaration
    if (!query || !method?.getSourceFile().fileName.endsWith(PORT)) continue
    const place = placeOf(call, root)
    try {
      const texts = compose(query)
      if (texts.length === 0) unchecked.push(`${place} no text can be worked out`)
      all.push(...texts.map((text) => ({ ...text, place, call })))
    } catch (error) {
      if (!(error instanceof Unknown)) throw error
      unchecked.push(`${place} ${error.message} (${placeOf(error.node, root)})`)
    }
  }
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'sql' && !seen.has(node))
      unchecked.push(`${placeOf(node, root)} is part of no statement that is checked`)
    ts.forEachChild(node, visit)
  }
  source.files.forEach(visit)
  return { all, unchecked }
}

/**
 * Returns the problems of a statement, in words: PostgreSQL's error, or claims that do not hold.
 */
export async function problemsOf(
  client: pg.Client,
  { checker }: Source,
  { statement, catalogue }: { statement: Statement; catalogue: Catalogue },
): Promise<string[]> {
  const { text, values, call, place } = statement
  try {
    const { columns, parameters } = await describe(client, text)
    const claimed = claimedType(checker, call)
    return [
      ...wrongValues(checker, values, { parameters, catalogue }),
      ...(claimed ? wrongClaims(checker, claimed, { columns, text, catalogue }) : []),
    ].map((problem) => `${place} ${problem}`)
  } catch (error) {
    return [`${place} ${messageOf(error)}`]
  }
}

/** Returns the table columns of the schema, each as [table, column]. */
export async function listColumns(client: pg.Client): Promise<[string, string][]> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and table_name <> '_prisma_migrations' order by 1, 2`,
  )
  return rows.map(({ table, column }) => [table, column])
}

/** A text of a statement with the words in it. */
export type Words = { place: string; text: string; words: ReadonlySet<string> }

/** Returns each text once, the short ones first: most columns are in one of them, which is analysed at once. */
export function wordsOf(statements: readonly Statement[]): Words[] {
  const texts = [...new Map(statements.map((one) => [one.text, one])).values()]
  return texts
    .map(({ place, text }) => ({ place, text, words: new Set(text.match(/\w+/g)) }))
    .sort((one, other) => one.text.length - other.text.length)
}

/**
 * Returns the first problem that some statements have after a column was renamed. Leaves the
 * database as it was.
 */
export async function problemAfterRename(
  client: pg.Client,
  statements: readonly Words[],
  [table, column]: [string, string],
): Promise<string | undefined> {
  await client.query('begin')
  try {
    await client.query(`alter table ${table} rename column ${column} to was_${column}`)
    await client.query('savepoint renamed')
    for (const { place, text, words } of statements) {
      if (!words.has(table) || !words.has(column)) continue
      try {
        await describe(client, text)
      } catch (error) {
        return `${place} ${messageOf(error)}`
      }
    }
    return undefined
  } finally {
    await client.query('rollback')
  }
}
