import type pg from 'pg'
import { QUEUE_SCHEMA } from '../queue/catalog'

/**
 * Answers a function that tells why this database user, or the way to the database, is not fit for the
 * product: one sentence that says what to do, or null. It rejects when the database does not answer.
 *
 * Two things show only in the middle of the work if nobody asks: a pooler that hands one session to
 * several connections (named statements and session locks then go astray), and rights that a grant
 * forgot. The first is looked for until it was not found once; rights change with every migration.
 */
export function openFitness(pool: pg.Pool): () => Promise<string | null> {
  let isDirect = false
  return async () => {
    if (!isDirect) {
      const problem = await whySharing(pool)
      if (problem !== null) return problem
      isDirect = true
    }
    return whyForbidden(pool)
  }
}

/** A pooler usually gives the next caller the session that was used last, but not under load. */
const LOOKS = 3

/**
 * Two connections that are open at once and are served by one process of the server share a session.
 * Without a pooler, or behind one in session mode, that cannot happen.
 */
export async function whySharing(pool: pg.Pool): Promise<string | null> {
  const opened: pg.PoolClient[] = []
  try {
    opened.push(await pool.connect(), await pool.connect())
    for (let look = 0; look < LOOKS; look++) {
      const seen: number[] = []
      // One after the other: at the same time they would get a session each.
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

/** Rights on every table and sequence, and rows that a policy hides: one question to the catalogue. */
async function whyForbidden(pool: pg.Pool): Promise<string | null> {
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
