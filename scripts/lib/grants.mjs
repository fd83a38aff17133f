import { StartError } from './data-dir.mjs'

/**
 * Grants a database user the privileges that web and worker need, and revokes those that only migrations
 * need. Must run as the owner of the tables, after the migrations. Throws StartError if there are none.
 *
 * @param {import('pg').Client} client @param {string} user
 */
export async function grantRights(client, user) {
  await client.query('begin')
  for (const statement of await statementsFor(client, user)) await client.query(statement)
  await client.query('commit')
}

/** @param {import('pg').Client} client @param {string} user @returns {Promise<string[]>} */
async function statementsFor(client, user) {
  const to = client.escapeIdentifier(user)
  const { rows } = await client.query(
    `with ours as (
       select format('%I.%I', nspname, relname) as name, relkind, relrowsecurity,
         relname = '_prisma_migrations' as of_prisma,
         nspname = 'graphile_worker' and relname = 'migrations' as of_queue
       from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where relkind in ('r', 'v', 'S') and (nspname = 'graphile_worker' or (nspname = current_schema()
         and relowner = (select relowner from pg_class where oid = to_regclass('users'))))
     )
     select current_schema() as own,
       string_agg(name, ', ') filter (where relkind <> 'S' and not of_prisma and not of_queue) as tables,
       string_agg(name, ', ') filter (where of_prisma or of_queue) as histories,
       string_agg(name, ', ') filter (where of_queue) as read_only,
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
    // Only migrations write the migration tables. The queue reads its own at every start.
    `revoke all on ${rows[0].histories} from ${to}`,
    `grant select on ${rows[0].read_only} to ${to}`,
    ...(rows[0].sequences ? [`grant usage on sequence ${rows[0].sequences} to ${to}`] : []),
    // By row security, the queue's rows are visible only to the owner of its tables.
    ...rows[0].hidden.flatMap((/** @type {string} */ table) => [
      `drop policy if exists ${policy} on ${table}`,
      `create policy ${policy} on ${table} to ${to} using (true) with check (true)`,
    ]),
  ]
}
