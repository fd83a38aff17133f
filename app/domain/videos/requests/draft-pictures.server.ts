import sql, { type Sql } from 'sql-template-tag'
import { figure } from '~/lib/figures'
import { newId } from '~/lib/ids'
import type { Executor, Tx } from '~/platform/db/port'
import { requireGoodStanding } from '../../accounts/standing.server'
import type { UserCtx } from '../../context'
import { AppError, isAppError } from '../../errors'
import { lockGalleries } from '../locks.server'
import { pictureHash, storePicture } from '../pictures.server'
import type { AspectRatio } from '../types'
import { fitted, whileStorageWorks } from './picture-video.server'
import {
  MOST_DRAFT_PICTURES,
  nameKey,
  UPLOAD_BYTES,
  UPLOAD_MEGABYTES,
  type DraftPicture,
} from './pictures'

// The pictures of the bulk form belong to its draft: a form that is refused, a receipt, a list and prompts
// that come back need no new upload.

type Scope = Pick<UserCtx, 'actor'> & { db: Executor }

const drafts = ({ actor }: Pick<UserCtx, 'actor'>): Sql => sql`
  select name, portrait_id as portrait, landscape_id as landscape
  from draft_pictures where user_id = ${actor.id} order by added_at, name`

/** Returns the pictures that the actor has added to the prompts of a batch, oldest first. */
export const listDraftPictures = (ctx: Scope): Promise<DraftPicture[]> =>
  ctx.db.rows<DraftPicture>(drafts(ctx))

/** Returns the same pictures, which nobody removes until the transaction ends. */
export const lockDraftPictures = (
  tx: Tx,
  { actor }: Pick<UserCtx, 'actor'>,
): Promise<DraftPicture[]> => tx.rows<DraftPicture>(sql`${drafts({ actor })} for update`)

const ID = sql`coalesce(portrait_id, landscape_id)::text`

/**
 * Removes those that a page has shown (`shownPictures`) from the form: others may have been added since. The
 * files stay while videos have them.
 */
export async function clearDraftPictures(
  tx: Tx,
  { actor }: Pick<UserCtx, 'actor'>,
  shown: string,
): Promise<void> {
  await tx.run(sql`
    delete from draft_pictures where user_id = ${actor.id} and ${ID} = any(${shown.split(' ')}::text[])`)
}

/** Removes one of them. Does nothing if it is not there any more. */
export async function removeDraftPicture({ db, actor }: UserCtx, id: string): Promise<void> {
  await db.run(sql`
    delete from draft_pictures where user_id = ${actor.id} and ${ID} = ${id}`)
}

/** An uploaded file, under the name that it gets in the form. */
export type NewPicture = { name: string; bytes: Buffer }

/**
 * Adds pictures to the prompts of the actor's next batch, each cut in the middle to both aspect ratios.
 * Throws BAD_INPUT that names each one that was not added, and why; the others are there. Throws
 * UNAVAILABLE, and like `requireGoodStanding`.
 */
export async function addDraftPictures(ctx: UserCtx, files: readonly NewPicture[]): Promise<void> {
  if (files.length === 0) throw refusedFor(['Please choose a picture'])
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  if (size > UPLOAD_BYTES) throw refusedFor([TOO_MUCH])
  // Before the work: an account that may not order has nothing stored.
  await ctx.db.transaction((tx) => requireGoodStanding(ctx, tx))
  const problems: string[] = []
  // One after the other, so that the memory is that of one.
  for (const file of files) {
    try {
      await addOne(ctx, file)
    } catch (error) {
      if (!isAppError(error) || error.code !== 'BAD_INPUT') throw error
      problems.push(`${file.name}: ${error.message}`)
    }
  }
  if (problems.length > 0) throw refusedFor(problems)
}

/** Why an upload is refused as a whole. */
const TOO_MUCH = `Pictures can have ${UPLOAD_MEGABYTES} MB together at a time. Add some of them first, then the others.`

const refusedFor = (problems: string[]) =>
  new AppError('BAD_INPUT', problems[0] ?? '', { fields: { pictures: problems } })
const refused = (problem: string) => new AppError('BAD_INPUT', problem)

async function addOne(ctx: UserCtx, { name, bytes }: NewPicture): Promise<void> {
  await refuseFull(ctx, ctx.db)
  const { portrait, landscape } = await fittedToBoth(ctx, bytes)
  if (await isThere(ctx, ctx.db, { name, sha256: pictureHash(portrait) })) return
  const ids = await storeBoth(ctx, { name, portrait, landscape })
  await ctx.db.transaction(async (tx) => {
    // Two uploads at once have one room.
    await lockGalleries(tx, [ctx.actor.id])
    await refuseFull(ctx, tx)
    if (await isThere(ctx, tx, { name, sha256: pictureHash(portrait) })) return
    await addRow(tx, ctx, { name, ...ids })
  })
}

/** Returns a picture cut to both aspect ratios, in the middle. Throws BAD_INPUT. */
async function fittedToBoth(ctx: UserCtx, bytes: Buffer) {
  const portrait = await fitted(ctx, bytes, { ratio: 'portrait', at: 0.5 })
  const landscape = await fitted(ctx, bytes, { ratio: 'landscape', at: 0.5 })
  return { portrait: portrait.jpeg, landscape: landscape.jpeg }
}

type Both = { name: string; portrait: Buffer; landscape: Buffer }

/** Stores a picture in both aspect ratios, each as the other's twin. */
function storeBoth(
  ctx: UserCtx,
  { name, portrait, landscape }: Both,
): Promise<Record<AspectRatio, string>> {
  const ids = { portrait: newId(), landscape: newId() }
  return whileStorageWorks(ctx, async () => {
    await storePicture(ctx, portrait, { id: ids.portrait, name, twinId: ids.landscape })
    await storePicture(ctx, landscape, { id: ids.landscape, name, twinId: ids.portrait })
    return ids
  })
}

/**
 * Stores pictures that a program has sent with a batch. Throws BAD_INPUT that names the first one that
 * cannot be used, and UNAVAILABLE.
 */
export async function storeForBatch(
  ctx: UserCtx,
  files: readonly NewPicture[],
): Promise<DraftPicture[]> {
  const stored: DraftPicture[] = []
  for (const { name, bytes } of files) {
    const cut = await fittedToBoth(ctx, bytes).catch((error: unknown) => {
      throw isAppError(error) && error.code === 'BAD_INPUT'
        ? refusedFor([`${name}: ${error.message}`])
        : error
    })
    stored.push({ name, ...(await storeBoth(ctx, { name, ...cut })) })
  }
  return stored
}

async function refuseFull({ actor }: UserCtx, db: Executor): Promise<void> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from draft_pictures where user_id = ${actor.id}`)
  if (count >= MOST_DRAFT_PICTURES)
    throw refused(`There are ${figure(MOST_DRAFT_PICTURES)} pictures already. Remove one first.`)
}

/**
 * Returns whether a picture is in the form already, under the same name. Throws BAD_INPUT if another one
 * has the name.
 */
async function isThere(
  { actor }: UserCtx,
  db: Executor,
  { name, sha256 }: { name: string; sha256: string },
): Promise<boolean> {
  const rows = await db.rows<{ name: string; sha256: string | null }>(sql`
    select draft_pictures.name, sha256
    from draft_pictures left join order_pictures on order_pictures.id = portrait_id
    where user_id = ${actor.id}`)
  const row = rows.find((one) => nameKey(one.name) === nameKey(name))
  if (row && row.sha256 !== sha256)
    throw refused('There is another picture of this name. Rename one, or remove the other first.')
  return row !== undefined
}

const addRow = (tx: Tx, { actor }: UserCtx, { name, portrait, landscape }: DraftPicture) =>
  tx.run(sql`
    insert into draft_pictures (user_id, name, portrait_id, landscape_id, added_at)
    values (${actor.id}, ${name}, ${portrait}, ${landscape}, engine_now())`)

/** A prompt that comes back into the form. */
type Returning = { id: string; aspectRatio: AspectRatio }

type Linked = {
  videoId: string
  isEnd: boolean
  pictureId: string
  twinId: string | null
  name: string | null
}

/** The names of the pictures with which a prompt begins and ends. */
export type PictureNames = { picture: string | undefined; endPicture: string | undefined }

/**
 * Brings the pictures of prompts back into the form with them, and returns the names of each by the
 * prompt's id. The caller has locked the actor's gallery. Throws CONFLICT if they are too many.
 */
export async function bringPicturesBack(
  ctx: UserCtx,
  tx: Tx,
  prompts: readonly Returning[],
): Promise<ReadonlyMap<string, PictureNames>> {
  const links = await tx.rows<Linked>(sql`
    select video_id as "videoId", is_end as "isEnd", picture.id as "pictureId", picture.name,
      (select twin.id from order_pictures as twin where twin.id = picture.twin_id) as "twinId"
    from video_pictures
      cross join lateral (values (picture_id, false), (end_picture_id, true)) as given(id, is_end)
      join order_pictures as picture on picture.id = given.id
    where video_id = any(${prompts.map(({ id }) => id)}::uuid[])`)
  const there = await listDraftPictures({ actor: ctx.actor, db: tx })
  const names = new Map<string, PictureNames>()
  for (const { id, aspectRatio } of prompts) {
    const own: PictureNames = { picture: undefined, endPicture: undefined }
    for (const link of links.filter(({ videoId }) => videoId === id))
      own[link.isEnd ? 'endPicture' : 'picture'] = await nameFor(ctx, tx, {
        link,
        aspectRatio,
        there,
      })
    if (own.picture !== undefined) names.set(id, own)
  }
  return names
}

type Bringing = { link: Linked; aspectRatio: AspectRatio; there: DraftPicture[] }

async function nameFor(
  ctx: UserCtx,
  tx: Tx,
  { link, aspectRatio, there }: Bringing,
): Promise<string> {
  const { pictureId, twinId } = link
  const same = there.find((one) => one[aspectRatio] === pictureId)
  if (same) return same.name
  if (there.length >= MOST_DRAFT_PICTURES) throw new AppError('CONFLICT', NO_ROOM)
  const picture = {
    name: freeName(link.name ?? 'picture.jpg', there),
    portrait: aspectRatio === 'portrait' ? pictureId : twinId,
    landscape: aspectRatio === 'landscape' ? pictureId : twinId,
  }
  await addRow(tx, ctx, picture)
  there.push(picture)
  return picture.name
}

const NO_ROOM = `These prompts have pictures, and the bulk form takes ${figure(MOST_DRAFT_PICTURES)}. Remove some there first.`

/** Returns the name, or with a number if another picture has it. */
function freeName(name: string, there: readonly DraftPicture[]): string {
  const taken = new Set(there.map((one) => nameKey(one.name)))
  const dot = name.lastIndexOf('.')
  const numbered = (n: number) => `${name.slice(0, dot)}-${n}${name.slice(dot)}`
  let free = name
  for (let n = 2; taken.has(nameKey(free)); n++) free = numbered(n)
  return free
}

/** Removes draft pictures that nobody has started for `days`, at most `most`. Returns how many. */
export const removeOldDraftPictures = (tx: Tx, days: number, most: number): Promise<number> =>
  tx.run(sql`
    delete from draft_pictures where (user_id, name) in (
      select user_id, name from draft_pictures
      where added_at < engine_now() - make_interval(days => ${days})
      order by added_at limit ${most} for update skip locked)`)
