import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { filesOf } from '../../../app/lib/poster-files'
import { walkBoxes } from '../../../app/platform/media/boxes.server'
import { findViolations } from '../invariants'
import { acceptedFrom } from './actions'
import type { Engine } from './engine'
import { witnessed } from './witness'

/**
 * Returns violations of the invariants of the tables, and of those that need the provider's ledger.
 */
export async function findEngineViolations(engine: Engine): Promise<Record<string, unknown[]>> {
  const { pool, fake, sim } = engine
  const found = await findViolations(pool)
  const ledger = sim ? sim.accepted() : fake.entries()
  await pool.query(`
    create table if not exists test_ledger (order_id text, attempt_id uuid, sent_at timestamptz);
    truncate test_ledger`)
  await pool.query(
    `insert into test_ledger select * from unnest($1::text[], $2::uuid[], $3::timestamptz[])`,
    [
      ledger.map(({ orderId }) => orderId),
      ledger.map(({ attemptId }) => attemptId),
      ledger.map(({ at }) => new Date(at)),
    ],
  )
  // If the protocol does not carry our own id, the order id of the response identifies the attempt.
  await pool.query(`
    update test_ledger set attempt_id = attempts.id from attempts
    where attempt_id is null and ref->>'id' = order_id`)
  const byLedger = { ...BY_LEDGER, ...witnessed(engine.deps.settings.timeZone) }
  for (const [name, text] of Object.entries(byLedger)) {
    const { rows } = await pool.query<Record<string, unknown>>(text)
    if (rows.length > 0) found[name] = rows
  }
  const lost = await findLost(engine)
  if (lost.length > 0) found['I1 what was accepted is there'] = lost
  const readable = await findReadableTokens(engine)
  if (readable.length > 0) found['I15 no token is readable anywhere'] = readable
  const files = await findBrokenFiles(engine)
  if (files.length > 0) found['I11 completed means playable, as it was recorded'] = files
  const pictures = await findLostPictures(engine)
  if (pictures.length > 0) found['I26 the picture of a video is stored as it was'] = pictures
  const strays = await findStrayFiles(engine)
  if (strays.length > 0) found['I12 no file without a row'] = strays
  return found
}

/**
 * Finds videos and batches whose acceptance a client received (see actions.ts) and that have no row.
 * Those of a purged account may have been deleted.
 */
async function findLost({ pool, deps }: Engine): Promise<unknown[]> {
  const { videos, batches } = acceptedFrom(deps.db)
  const { rows } = await pool.query<{ id: string }>(
    `select id from unnest($1::uuid[], $2::uuid[]) as given(id, user_id)
     where exists (select 1 from users where users.id = given.user_id)
       and not exists (select 1 from videos where videos.id = given.id)
     union all
     select id from unnest($3::uuid[], $4::uuid[], $5::int[]) as given(id, user_id, total)
     where exists (select 1 from users where users.id = given.user_id)
       and not exists (select 1 from batches where batches.id = given.id and total_videos = total)`,
    [
      [...videos.keys()],
      [...videos.values()],
      [...batches.keys()],
      [...batches.values()].map(({ userId }) => userId),
      [...batches.values()].map(({ total }) => total),
    ],
  )
  return rows
}

/** Looks for the plain text of every token in every value of every table. */
async function findReadableTokens({ pool, deps }: Engine): Promise<unknown[]> {
  const { rows } = await pool.query<{ id: string; sealed: Buffer }>(
    'select id, secret_cipher as sealed from credentials',
  )
  if (rows.length === 0) return []
  const tables = await pool.query<{ name: string; text: string | null }>(`
    select tablename as name, query_to_xml(format('select * from %I.%I', schemaname, tablename),
      true, false, '')::text as text
    from pg_tables where schemaname in ('public', 'graphile_worker')`)
  return rows.flatMap(({ id, sealed }) => {
    const token = deps.vault.open(id, sealed)
    return tables.rows.filter(({ text }) => text?.includes(token)).map(({ name }) => ({ id, name }))
  })
}

type Stored = { id: string; key: string; bytes: number; sha256: string }

async function findBrokenFiles({ pool, dataDir }: Engine): Promise<unknown[]> {
  const { rows } = await pool.query<Stored>(
    `select id, file_key as key, file_bytes::int as bytes, file_sha256 as sha256 from videos
     where file_key is not null`,
  )
  const checked = await Promise.all(
    rows.map(async (row) => {
      const file = path.join(dataDir, 'videos', row.key)
      const content = await fs.readFile(file).catch(() => Buffer.alloc(0))
      const hash = createHash('sha256').update(content).digest('hex')
      const isWhole = content.length === row.bytes && hash === row.sha256
      return isWhole && (await walkBoxes(file)).ok ? [] : [row]
    }),
  )
  return checked.flat()
}

async function findLostPictures({ pool, dataDir }: Engine): Promise<unknown[]> {
  const { rows } = await pool.query<{ id: string; key: string; sha256: string }>(
    `select video_id as id, file_key as key, sha256 from video_pictures
     join order_pictures on order_pictures.id in (picture_id, end_picture_id)`,
  )
  const checked = await Promise.all(
    rows.map(async (row) => {
      const content = await fs.readFile(path.join(dataDir, 'videos', row.key)).catch(() => '')
      return createHash('sha256').update(content).digest('hex') === row.sha256 ? [] : [row]
    }),
  )
  return checked.flat()
}

/**
 * Checks only when no attempt or job is active: until then a file may be waiting for its row, or
 * for its purge.
 */
async function findStrayFiles({ pool, dataDir }: Engine): Promise<unknown[]> {
  const { rowCount } = await pool.query(
    `select 1 from attempts where state in ('submitting', 'submitted', 'fetching', 'unknown')
     union all select 1 from graphile_worker._private_jobs`,
  )
  if (rowCount) return []
  const { rows } = await pool.query<{ key: string }>(
    `select key from videos, unnest(array[file_key, poster_key]) as key where key is not null
     union all select file_key from order_pictures`,
  )
  const known = new Set(rows.flatMap(({ key }) => filesOf(key)))
  const root = path.join(dataDir, 'videos')
  const names = await fs.readdir(root, { recursive: true }).catch(() => [])
  const isFile = (name: string) => /\.(mp4|jpe?g|webp|part)$/.test(name)
  return names.filter((name) => isFile(name) && !known.has(name)).map((name) => ({ name }))
}

/** The database and this process read two clocks of one machine, and a call takes a moment. */
const SLACK = `interval '1 second'`

const BY_LEDGER: Record<string, string> = {
  'I6 one order an attempt': `
    select attempt_id, count(*) from test_ledger where attempt_id is not null
    group by attempt_id having count(*) > 1`,
  'I7 every order is recorded': `
    select order_id from test_ledger where (attempt_id is not null
        and not exists (select 1 from attempts where id = attempt_id))
      or (attempt_id is null and (select count(*) from test_ledger where attempt_id is null)
        > (select count(*) from attempts where state in ('orphaned', 'unknown', 'submitting')))`,
  // A second order for a video whose first one failed does not count for a round.
  'I9 in no stretch of its delay does a batch send more than a round': `
    with sent as (
      select batches.id, order_id, test_ledger.sent_at as at, speed_limit, delay_seconds
      from test_ledger join attempts as own on own.id = test_ledger.attempt_id
        join batches on batches.id = own.batch_id
      where delay_seconds > 0 and not exists (select 1 from attempts as earlier
        where earlier.video_id = own.video_id and earlier.generation = own.generation
          and earlier.n < own.n and earlier.state in ('failed', 'orphaned')))
    select sent.id, sent.at, sent.speed_limit, count(*) as orders from sent
      join sent as next on next.id = sent.id and next.at >= sent.at
        and next.at < sent.at + make_interval(secs => sent.delay_seconds) - 2 * ${SLACK}
    group by sent.id, sent.order_id, sent.at, sent.speed_limit having count(*) > sent.speed_limit`,
  'I13 nothing is sent after the end of its batch': `
    select attempts.id from test_ledger join attempts on attempts.id = test_ledger.attempt_id
      join batches on batches.id = attempts.batch_id
    where batches.status = 'cancelled' and attempts.created_at > batches.finished_at + ${SLACK}`,
}
