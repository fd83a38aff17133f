import type pg from 'pg'
import { QUEUE_SCHEMA } from '../queue/catalog'
import { SESSION } from './session'
import { connectionProblem, isMisconfigured } from './connection-problem'

/**
 * Returns a function that checks whether this database user and this connection can run the
 * product. It returns null, or one sentence that states the problem and its remedy. It rejects when
 * the database does not respond.
 *
 * A wrong address, name, password or certificate is such a problem, too. Without this check two others would appear only later, during normal work: a pooler that shares
 * one session between several connections (which breaks named statements and session locks), and
 * missing privileges. The pooler check runs until it has passed once. Privileges are checked on
 * every call, because every migration may change them.
 */
export function openFitness(pool: pg.Pool): () => Promise<string | null> {
  let isDirect = false
  const check = async () => {
    if (!isDirect) {
      const problem = await sharingProblem(pool)
      if (problem !== null) return problem
      isDirect = true
    }
    return (await rightsProblem(pool)) ?? sessionProblem(pool)
  }
  return () =>
    check().catch((error: unknown) => {
      if (isMisconfigured(error)) return connectionProblem(error)
      throw error
    })
}

type Setting = { name: string; value: string; wanted: string }

/**
 * Checks the settings that every connection makes (session.ts), and that the tables are found. A
 * pooler, or a default of the database or the role that returns after a reset, may undo them.
 */
async function sessionProblem(pool: pg.Pool): Promise<string | null> {
  const { rows } = await pool.query<Setting>(
    `select name, current_setting(name) as value, wanted
     from unnest($1::text[], $2::text[]) as s(name, wanted) where current_setting(name) <> wanted`,
    [Object.keys(SESSION), Object.values(SESSION)],
  )
  const [wrong] = rows
  if (!wrong) return null
  return `The database sets ${wrong.name} to "${wrong.value}", although the product has set it to "${wrong.wanted}" on connecting. Does a pooler reset sessions between transactions? Use pool_mode = session.`
}

/**
 * A pooler usually reuses the most recent session, but not always under load. Hence several looks.
 */
const LOOKS = 3

/**
 * Opens two connections at once and returns a sentence if the same server process serves both,
 * which means that they share a session. That cannot happen without a pooler, or with one in
 * session mode. Returns null if no sharing was seen.
 */
export async function sharingProblem(pool: pg.Pool): Promise<string | null> {
  const opened: pg.PoolClient[] = []
  try {
    opened.push(await pool.connect(), await pool.connect())
    for (let look = 0; look < LOOKS; look++) {
      const seen: number[] = []
      // In sequence: concurrent queries would each get a session of their own.
      for (const client of opened) seen.push(await backendOf(client))
      if (seen[0] === seen[1]) return SHARED
    }
    return null
  } finally {
    for (const client of opened) client.release()
  }
}

const SHARED =
  'DATABASE_URL leads through a pooler that shares sessions between connections (PgBouncer in transaction or statement mode). Use pool_mode = session, or the address of the database itself.'

async function backendOf(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

type Forbidden = { who: string; what: string; more: number }

/** Checks privileges on all tables and sequences, and row security, in one catalogue query. */
async function rightsProblem(pool: pg.Pool): Promise<string | null> {
  const { rows } = await pool.query<Forbidden>(MISSING_RIGHTS, [QUEUE_SCHEMA])
  const [first] = rows
  if (!first) return null
  const more = first.more > 0 ? ` (and ${first.more} more)` : ''
  return `The database user ${first.who} may not ${first.what}${more}. Let the owner of the tables run: npm run grants -- ${first.who}`
}

const MISSING_RIGHTS = `
  with ours as (
    select pg_class.oid, relkind, nspname, relname, relrowsecurity, relnamespace
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'p', 'S') and relname <> '_prisma_migrations'
      -- Others may keep tables of their own beside ours.
      and (nspname = $1 or (nspname = current_schema()
        and relowner = (select relowner from pg_class where oid = to_regclass('users'))))
  ), missing as (
    select distinct 'use the schema ' || nspname as what from ours
    where not has_schema_privilege(relnamespace, 'usage')
    union all
    select privilege || ' ' || nspname || '.' || relname
    from ours cross join unnest(array['select', 'insert', 'update', 'delete']) as privilege
    where relkind <> 'S' and not has_table_privilege(oid, privilege)
      -- The queue's own list of migrations is only read.
      and (privilege = 'select' or nspname <> $1 or relname <> 'migrations')
    union all
    select 'use ' || nspname || '.' || relname from ours
    -- The planner may look at the rows in any order, and refuses to ask this of a table.
    where case when relkind = 'S' then not has_sequence_privilege(oid, 'usage') else false end
    union all
    select 'see the rows of ' || nspname || '.' || relname from ours
    where relrowsecurity and row_security_active(oid) and not exists (
      select 1 from pg_policy where polrelid = ours.oid and exists (
        select 1 from unnest(polroles) as role where role = 0 or pg_has_role(role, 'usage')))
  )
  select current_user as who, what, (count(*) over () - 1)::int as more from missing limit 1`
