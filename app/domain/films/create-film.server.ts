import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { lockGalleries } from '../videos/locks.server'
import { noSuchVideo } from '../videos/queries.server'
import { findChosen } from './chosen-clips.server'
import { noSuchFilm } from './own-films.server'
import { FILM_LIMITS, refusalOf } from './rules'

type NewFilm = {
  /** Chosen by the page: the same form sent twice makes one film. */
  filmId: string
  name: string
  /** The videos in the order of the film. */
  ids: readonly string[]
}

/**
 * Accepts a film of the actor's own clips and adds its job. Costs no quota. Throws NOT_FOUND for a
 * video that is not the actor's own, BAD_INPUT for clips that do not fit, and CONFLICT if a video
 * has no clip or the actor has too many films.
 */
export async function createFilm(ctx: UserCtx, { filmId, name, ids }: NewFilm): Promise<void> {
  const { db, queue, actor } = ctx
  await db.transaction(async (tx) => {
    // One film of a user at a time, so that the limits hold.
    await lockGalleries(tx, [actor.id])
    const known = await tx.row<{ isOwn: boolean }>(sql`
      select user_id = ${actor.id}::uuid as "isOwn" from films where id = ${filmId}`)
    if (known?.isOwn) return
    if (known) throw noSuchFilm()
    const chosen = await findChosen(tx, actor.id, { ids, sort: 'as given' })
    if (chosen === null) throw noSuchVideo()
    const { clips, unfinished } = chosen
    if (unfinished > 0) throw new AppError('CONFLICT', 'One of these videos has no clip now')
    const refusal = refusalOf(clips)
    const [first] = clips
    if (refusal !== null || first === undefined) throw new AppError('BAD_INPUT', refusal ?? '')
    await requireRoom(tx, actor.id)
    await tx.run(sql`
      insert into films (id, user_id, name, aspect_ratio, created_at, touched_at)
      values (${filmId}, ${actor.id}, ${name}, ${first.aspectRatio}::aspect_ratio, engine_now(), engine_now())`)
    await tx.run(sql`
      insert into film_clips (film_id, place, video_id, prompt)
      select ${filmId}::uuid, place, video_id, prompt
      from unnest(${clips.map(({ id }) => id)}::uuid[], ${clips.map(({ prompt }) => prompt)}::text[])
        with ordinality as clip(video_id, prompt, place)`)
    await queue.add(tx, [{ name: 'films.join', payload: { filmId } }])
  })
}

async function requireRoom(tx: Tx, userId: string): Promise<void> {
  const { mostUnfinished, mostKept } = FILM_LIMITS
  const { unfinished, kept } = await tx.one<{ unfinished: number; kept: number }>(sql`
    select count(*)::int as kept,
      (count(*) filter (where state in ('waiting', 'working')))::int as unfinished
    from films where user_id = ${userId}`)
  if (unfinished >= mostUnfinished) {
    throw new AppError(
      'CONFLICT',
      `${mostUnfinished} films are being made. Start another when one of them is ready.`,
    )
  }
  if (kept >= mostKept) {
    throw new AppError('CONFLICT', `You have ${mostKept} films. Delete one to make another.`)
  }
}
