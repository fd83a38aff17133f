// `npm run grants -- USER`: gives a database user what web and worker need, and no more. Run it as the
// owner of the tables (DATABASE_URL), after each `npm run migrate`.
import pg from 'pg'
import { StartError } from './lib/data-dir.mjs'
import { loadEnvFile } from './lib/env-file.mjs'

/** @param {pg.Client} client @param {string} user @returns {Promise<string[]>} */
async function statementsFor(client, user) {
  const to = client.escapeIdentifier(user)
  const { rows } = await client.query(
    `with ours as (
       select format('%I.%I', nspname, relname) as name, relkind, relrowsecurity
       from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where relkind in ('r', 'v', 'S') and (nspname = 'graphile_worker' or (nspname = current_schema()
         and relowner = (select relowner from pg_class where oid = to_regclass('users'))))
     )
     select current_schema() as own,
       string_agg(name, ', ') filter (where relkind <> 'S') as tables,
       string_agg(name, ', ') filter (where relkind = 'S') as sequences,
       coalesce(json_agg(name) filter (where relrowsecurity), '[]') as hidden from ours`,
  )
  if (!rows[0].tables) throw new StartError('There are no tables yet. Run npm run migrate first.')
  const schemas = [client.escapeIdentifier(rows[0].own), 'graphile_worker']
  const policy = client.escapeIdentifier(`reelmill ${user}`)
  return [
    ...schemas.flatMap((schema) => [
      `grant usage on schema ${schema} to ${to}`,
      `alter default privileges in schema ${schema} grant select, insert, update, delete on tables to ${to}`,
      `alter default privileges in schema ${schema} grant usage on sequences to ${to}`,
    ]),
    `grant select, insert, update, delete on ${rows[0].tables} to ${to}`,
    ...(rows[0].sequences ? [`grant usage on sequence ${rows[0].sequences} to ${to}`] : []),
    // The queue hides its rows from everybody but the owner of its tables.
    ...rows[0].hidden.flatMap((/** @type {string} */ table) => [
      `drop policy if exists ${policy} on ${table}`,
      `create policy ${policy} on ${table} to ${to} using (true) with check (true)`,
    ]),
  ]
}

async function main() {
  await loadEnvFile()
  const [user] = process.argv.slice(2)
  if (!user) throw new StartError('Name the database user: npm run grants -- reelmill_app')
  if (!process.env.DATABASE_URL) throw new StartError('DATABASE_URL is not set.')
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
  try {
    await client.connect()
    await client.query('begin')
    for (const statement of await statementsFor(client, user)) await client.query(statement)
    await client.query('commit')
  } finally {
    await client.end()
  }
  console.log(`${user} may now do what web and worker need.`)
}

try {
  await main()
} catch (error) {
  const why = error instanceof Error ? error.message : String(error)
  console.error(error instanceof StartError ? why : `The database refused: ${why}`)
  process.exitCode = 1
}
