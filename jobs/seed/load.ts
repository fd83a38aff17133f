import sql from 'sql-template-tag'
import type { Boot } from '~/boot/deps.server'
import { DEFAULT_PLANS } from '~/domain/plans/catalogue'
import type { DemoClip } from './clips'

const PLAN_LIST = Object.values(DEFAULT_PLANS)

/** Rows per statement: many enough to be fast, few enough for a short transaction. */
const CHUNK = 20_000

/** A clip in the storage that belongs to videos of an earlier demo. */
export type StoredClip = Omit<DemoClip, 'path' | 'posterPath'> & {
  fileKey: string
  posterKey: string
}

export type LoadSize = { users: number; videos: number }

/**
 * Fills the tables for load tests, with the given numbers of users (`load…`) and of videos, which
 * share the given files. Videos are spread over the last 90 days; 94 of 100 are completed, the
 * others failed. Rows of an earlier run count, so a second run only adds what is missing.
 */
export async function loadTables(
  { deps }: Boot,
  { users, videos }: LoadSize,
  files: readonly StoredClip[],
): Promise<void> {
  const { db } = deps
  await addUsers(db, users)
  const there = await db.prisma(({ video }) =>
    video.count({ where: { user: { username: { startsWith: 'load' } } } }),
  )
  for (let from = there; from < videos; from += CHUNK) {
    await addVideos(db, { from, to: Math.min(videos, from + CHUNK), files })
  }
  await addUse(db)
  await addCounts(db)
  await db.run(sql`vacuum analyze users, videos, quota_days, end_counts`)
  // The load updates each gallery's row thousands of times within seconds, unlike normal use.
  await db.run(sql`vacuum (full, analyze) galleries`)
}

type Db = Boot['deps']['db']

const addUsers = (db: Db, users: number) =>
  db.run(sql`
    insert into users (id, username, phone, plan, video_limit, speed_limit, video_generation_speed,
      expiry_date, is_active, created_at)
    select gen_random_uuid(), 'load' || lpad(n::text, 7, '0'), 'load' || lpad(n::text, 7, '0'),
      plan.name::plan_name, plan.per_day, plan.videos, plan.delay_seconds,
      case when n % 10 = 0 then null else engine_now() + ((n % 45) - 5) * interval '1 day' end,
      n % 20 <> 0, engine_now() - (n % 200) * interval '1 hour'
    from generate_series(1, ${users}::int) as n
    join unnest(${PLAN_LIST.map(({ name }) => name)}::text[],
        ${PLAN_LIST.map(({ videosPerDay }) => videosPerDay)}::int[],
        ${PLAN_LIST.map(({ pace }) => pace.videos)}::int[],
        ${PLAN_LIST.map(({ pace }) => pace.delaySeconds)}::int[])
      with ordinality as plan(name, per_day, videos, delay_seconds, number)
      on number = 1 + n % ${PLAN_LIST.length}::int
    on conflict (username) where deleted_at is null do nothing`)

type Chunk = {
  from: number
  to: number
  files: readonly StoredClip[]
}

/**
 * Adds videos in blocks of users, so that one statement locks few galleries and writes in their
 * order.
 */
const addVideos = (db: Db, { from, to, files }: Chunk) =>
  db.run(sql`
    with named as (
      select array_agg(id order by username) as ids from users where username like 'load%' and deleted_at is null
    ), files as (
      select * from unnest(${files.map((f) => f.prompt)}::text[], ${files.map((f) => f.aspectRatio)}::aspect_ratio[],
        ${files.map((f) => f.fileKey)}::text[], ${files.map((f) => f.posterKey)}::text[],
        ${files.map((f) => f.bytes)}::bigint[], ${files.map((f) => f.sha256)}::text[],
        ${files.map((f) => f.crc32)}::bigint[], ${files.map((f) => f.durationMs)}::int[])
        with ordinality as file(prompt, ratio, file_key, poster_key, bytes, sha256, crc32, duration_ms, place)
    )
    insert into videos (id, user_id, prompt, aspect_ratio, status, model, seed, created_at, completed_at,
      error_code, error_message, file_key, poster_key, file_bytes, file_sha256, file_crc32, duration_ms)
    select gen_random_uuid(), ids[1 + n % cardinality(ids)], prompt || ', take ' || n, ratio,
      case when failed then 'error' else 'completed' end::video_status, 'local-preview', n, at,
      case when not failed then at + interval '1 minute' end,
      case when failed then 'busy' end, case when failed then 'The video service was too busy for too long.' end,
      case when not failed then file_key end, case when not failed then poster_key end,
      case when not failed then bytes end, case when not failed then sha256 end,
      case when not failed then files.crc32 end, case when not failed then duration_ms end
    from (select n, n % 100 >= 94 as failed,
        engine_now() - interval '3 days' - ((n * 7919::bigint) % 7516800) * interval '1 second' as at
        from generate_series(${from}::int, ${to - 1}::int) as n) as wanted
      cross join named join files on files.place = 1 + wanted.n % ${files.length}`)

/**
 * Adds quota use for earlier days of this month. Recent days need ledger rows, which the load does
 * not add.
 */
const addUse = (db: Db) =>
  db.run(sql`
    insert into quota_days (user_id, day, charged)
    select id, day::date, 1 + (random() * video_limit / 2)::int
    from users cross join generate_series(date_trunc('month', engine_now()),
      engine_now() - interval '4 days', interval '3 days') as day
    where username like 'load%'
    on conflict do nothing`)

/** Counts the ends of the last month as they would have been counted. */
const addCounts = (db: Db) =>
  db.run(sql`
    insert into end_counts as counts (starts_at, slot, delivered, units, failed, times)
    select date_bin('15 minutes', coalesce(completed_at, created_at), 'epoch'), hashtext(user_id::text) & 3,
      count(*) filter (where status = 'completed'), count(*) filter (where status = 'completed'),
      count(*) filter (where status = 'error'),
      array_fill(0, array[23]) || array[(count(*) filter (where status = 'completed'))::int]
        || array_fill(0, array[32])
    from videos where coalesce(completed_at, created_at) > engine_now() - interval '31 days'
    group by 1, 2
    on conflict (starts_at, slot, provider) do update set delivered = excluded.delivered,
      units = excluded.units, failed = excluded.failed, times = excluded.times`)
