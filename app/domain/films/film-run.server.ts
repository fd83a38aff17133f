import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import { newId } from '~/lib/ids'
import type { EngineCtx } from '../videos/engine/context'

/** A run of a film's job. Only the latest one may write. */
export type FilmRun = {
  filmId: string
  run: string
  /** How many runs have begun, this one included. */
  runs: number
  /** The run before, whose worker was killed or has lost the film. */
  previous: string | null
}

/**
 * Begins a run. Whatever an earlier run writes from now on is void. Returns null if the film is
 * ready, has failed or does not exist.
 */
export async function claimFilm({ db }: EngineCtx, filmId: string): Promise<FilmRun | null> {
  const run = newId()
  const claimed = await db.row<Pick<FilmRun, 'runs' | 'previous'>>(sql`
    update films set state = 'working', run = ${run}, runs = films.runs + 1, clips_done = 0,
      touched_at = engine_now()
    from (select id, run as previous from films where id = ${filmId} for update) as before
    where films.id = before.id and state in ('waiting', 'working')
    returning films.runs::int as runs, before.previous`)
  return claimed ? { filmId, run, ...claimed } : null
}

/** A clip of a film, with its file if the video still has one. */
export type FilmSource = { place: number; prompt: string; fileKey: string | null; bytes: number }

/** Lists the clips of a film. `fileKey` is null if the video was deleted meanwhile. */
export const listSources = ({ db }: EngineCtx, filmId: string): Promise<FilmSource[]> =>
  db.rows<FilmSource>(sql`
    select place::int as place, film_clips.prompt, file_key as "fileKey",
      coalesce(file_bytes, 0)::int as bytes
    from film_clips left join videos on videos.id = video_id and videos.deleted_at is null
    where film_id = ${filmId} order by place`)

const held = ({ filmId, run }: FilmRun) =>
  sql`films.id = ${filmId} and films.run = ${run}::uuid and films.state = 'working'`

/** Writes how many clips are copied. Returns whether the run may still write. */
export const noteCopied = async (
  { db }: EngineCtx,
  film: FilmRun,
  clips: number,
): Promise<boolean> =>
  (await db.run(sql`
    update films set clips_done = ${clips}::int, touched_at = engine_now() where ${held(film)}`)) >
  0

/** Returns whether a run may still write: the film was not deleted, and no other worker has taken it. */
export const mayWrite = async ({ db }: EngineCtx, film: FilmRun): Promise<boolean> =>
  (await db.row(sql`select 1 from films where ${held(film)}`)) !== undefined

/** What a run has stored. */
export type FilmFile = {
  fileKey: string
  posterKey: string | null
  bytes: number
  sha256: string
  durationMs: number
  lostSound: boolean
  clips: number
}

/** Ends a film as ready. Returns false if the run has lost it. */
export const endReady = async (
  { db }: EngineCtx,
  film: FilmRun,
  file: FilmFile,
): Promise<boolean> =>
  (await db.run(sql`
    update films set state = 'ready', ended_at = engine_now(), clips_done = ${file.clips}::int,
      file_key = ${file.fileKey}, poster_key = ${file.posterKey}, file_bytes = ${file.bytes}::int,
      file_sha256 = ${file.sha256}, duration_ms = ${file.durationMs}::int,
      lost_sound = ${file.lostSound}
    where ${held(film)}`)) > 0

/** Ends a film as failed, for a reason that its owner reads. */
export async function endFailed({ db }: EngineCtx, film: FilmRun, reason: string): Promise<void> {
  await db.run(sql`
    update films set state = 'failed', ended_at = engine_now(), reason = ${reason}
    where ${held(film)}`)
}

type Later = { delayMs: number; counts: boolean }

/** Lets a film wait for its next run, which `counts` as another try or not. */
export const postpone = (ctx: EngineCtx, film: FilmRun, { delayMs, counts }: Later) =>
  ctx.db.transaction(async (tx: Tx) => {
    const waits = await tx.run(sql`
      update films set state = 'waiting', clips_done = 0, touched_at = engine_now(),
        runs = films.runs - ${counts ? 0 : 1}::int
      where ${held(film)}`)
    if (waits === 0) return
    const { filmId } = film
    await ctx.queue.add(tx, [{ name: 'films.join', payload: { filmId }, delayMs }])
  })

/** Returns whether the film was deleted. */
export const isGone = async ({ db }: EngineCtx, filmId: string): Promise<boolean> =>
  (await db.row(sql`select 1 from films where id = ${filmId}`)) === undefined
