import { randomBytes } from 'node:crypto'
import sql, { empty, type Sql } from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { Db, Tx } from '~/platform/db/port'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { isoText } from '../iso-text.server'
import { placesIn } from './collection-members.server'
import type { Cursor } from './cursor'
import { noSuchVideo } from './queries.server'
import { PREVIEW_MODEL } from './rules'
import type { ShareLinkInput } from './schemas'
import type { AspectRatio } from './types'

/** A link for people without an account, as its owner sees it. */
export type ShareLink = {
  token: string
  showsPrompt: boolean
  createdAt: string
  /** Null: until its owner ends it. */
  expiresAt: string | null
  downloads: number
}

/** What a link leads to: a clip, or a collection with what is in it at the time. */
export type Subject = { videoId: string } | { collectionId: string }

/** A clip that a link leads to. */
export type SharedClip = {
  /** Null if the owner does not show it. */
  prompt: string | null
  /** Null if it has none, or if the owner does not show the prompt. */
  name: string | null
  aspectRatio: AspectRatio
  fileKey: string
  posterKey: string | null
  sha256: string
}

/** Links of one clip or collection that work at a time. */
const MOST_LINKS = 20
/** Clips of a shared collection per page. */
const CLIPS_PAGE = 60

/** Returns a text from an address if it can be a token, or null: PostgreSQL takes no NUL character. */
const tokenIn = (text: string): string | null => (/^[\w-]+$/.test(text) ? text : null)

/** As many random bits as a session's token. */
const newToken = (): string => randomBytes(32).toString('base64url')

const works = sql`(share_links.expires_at is null or share_links.expires_at > engine_now())`

const isOf = (subject: Subject): Sql =>
  'videoId' in subject
    ? sql`share_links.video_id = ${subject.videoId}`
    : sql`share_links.collection_id = ${subject.collectionId}`

const isOwn = ({ actor }: UserCtx): Sql => sql`(
  exists (select 1 from videos where videos.id = share_links.video_id and videos.user_id = ${actor.id})
  or exists (select 1 from collections
    where collections.id = share_links.collection_id and collections.user_id = ${actor.id}))`

/** Lists the links to one of the actor's own clips or collections that work, newest first. */
export const listShareLinks = (ctx: UserCtx, subject: Subject): Promise<ShareLink[]> =>
  ctx.db.rows<ShareLink>(sql`
    select token, shows_prompt as "showsPrompt", downloads, ${isoText(sql`share_links.created_at`)} as "createdAt",
      ${isoText(sql`share_links.expires_at`)} as "expiresAt"
    from share_links where ${isOf(subject)} and ${isOwn(ctx)} and ${works}
    order by share_links.created_at desc, token limit ${MOST_LINKS}`)

/**
 * Creates a link to one of the actor's own clips or collections and returns it. Throws NOT_FOUND, or CONFLICT if the
 * video has no clip yet or there are MOST_LINKS links.
 */
export async function createShareLink(
  ctx: UserCtx,
  subject: Subject,
  { days, showsPrompt }: ShareLinkInput,
): Promise<{ token: string; expiresAt: string | null }> {
  return ctx.db.transaction(async (tx) => {
    const [videoId, collectionId] =
      'videoId' in subject
        ? [await lockClip(tx, ctx, subject.videoId), null]
        : [null, await lockCollection(tx, ctx, subject.collectionId)]
    const { links } = await tx.one<{ links: number }>(sql`
      select count(*)::int as links from share_links where ${isOf(subject)} and ${works}`)
    if (links >= MOST_LINKS)
      throw new AppError(
        'CONFLICT',
        `A ${videoId === null ? 'collection' : 'video'} has at most ${MOST_LINKS} links. End one first.`,
      )
    return tx.one<{ token: string; expiresAt: string | null }>(sql`
      insert into share_links (token, video_id, collection_id, shows_prompt, created_at, expires_at)
      values (${newToken()}, ${videoId}::uuid, ${collectionId}::uuid, ${showsPrompt}, engine_now(),
        engine_now() + make_interval(days => ${days}::int))
      returning token, ${isoText(sql`expires_at`)} as "expiresAt"`)
  })
}

/** Locks one of the actor's own videos until the link to it is stored. Returns its id. */
async function lockClip(tx: Tx, { actor }: UserCtx, videoId: string): Promise<string> {
  if (!isId(videoId)) throw noSuchVideo()
  const video = await tx.row<{ hasClip: boolean }>(sql`
    select file_key is not null as "hasClip" from videos
    where id = ${videoId} and user_id = ${actor.id} and deleted_at is null for update`)
  if (!video) throw noSuchVideo()
  if (!video.hasClip) throw new AppError('CONFLICT', 'This video is not finished yet')
  return videoId
}

/** The same for a collection. */
async function lockCollection(tx: Tx, { actor }: UserCtx, id: string): Promise<string> {
  const found = isId(id)
    ? await tx.row<{ id: string }>(sql`
        select id from collections where id = ${id} and user_id = ${actor.id} for update`)
    : undefined
  if (!found) throw new AppError('NOT_FOUND', 'This collection does not exist')
  return id
}

/** Ends a link to one of the actor's own clips or collections. Throws NOT_FOUND. */
export async function endShareLink(ctx: UserCtx, token: string): Promise<void> {
  const ended = await ctx.db.run(sql`
    delete from share_links where token = ${tokenIn(token)} and ${isOwn(ctx)}`)
  if (ended === 0) throw new AppError('NOT_FOUND', 'This link has ended')
}

const SHARED_COLUMNS = sql`case when shows_prompt then prompt end as prompt,
  case when shows_prompt then clip_name end as name, aspect_ratio as "aspectRatio",
  file_key as "fileKey", poster_key as "posterKey", file_sha256 as sha256`

/** Condition for videos whose clip a link may show. */
const isShown = sql`videos.deleted_at is null and file_key is not null and file_sha256 is not null`

const isOpen = sql`users.is_active and users.deleted_at is null`

const notShared = (): AppError => new AppError('NOT_FOUND', 'This video is not shared any more')

/**
 * Returns the clip of a link. A link ends with its time, its video and its owner's account. Throws
 * NOT_FOUND.
 */
export async function getShared(db: Db, token: string): Promise<SharedClip> {
  const shared = await db.row<SharedClip>(sql`
    select ${SHARED_COLUMNS}
    from share_links join videos on videos.id = video_id join users on users.id = videos.user_id
    where token = ${tokenIn(token)} and ${works} and ${isShown} and ${isOpen}`)
  if (!shared) throw notShared()
  return shared
}

/** Returns one clip of the collection of a link, while it is in it. Throws NOT_FOUND. */
export async function getSharedMember(db: Db, token: string, videoId: string): Promise<SharedClip> {
  const shared = isId(videoId)
    ? await db.row<SharedClip>(sql`
        select ${SHARED_COLUMNS}
        from share_links join collections on collections.id = share_links.collection_id
          join collection_videos on collection_videos.collection_id = collections.id
          join videos on videos.id = collection_videos.video_id
          join users on users.id = collections.user_id
        where token = ${tokenIn(token)} and ${works} and ${isShown} and ${isOpen}
          and collection_videos.video_id = ${videoId}`)
    : undefined
  if (!shared) throw notShared()
  return shared
}

/** Returns the place of a clip in the collection of a link, from 1. Throws NOT_FOUND. */
export async function getPlaceOfShared(db: Db, token: string, videoId: string): Promise<number> {
  const found = await db.row<{ number: number }>(sql`
    select number from share_links
      join lateral ${placesIn(sql`share_links.collection_id`)} as placed on true
    where token = ${tokenIn(token)} and placed.video_id = ${videoId}`)
  if (!found) throw notShared()
  return found.number
}

/** A clip in the list of a shared collection. */
export type SharedMember = {
  id: string
  /** Its place in the collection, from 1. */
  place: number
  prompt: string | null
  aspectRatio: AspectRatio
  hasPoster: boolean
}

/** A page of a shared collection. */
export type SharedCollection = { name: string; clips: SharedMember[]; next: Cursor | null }

/**
 * Returns a page of the collection of a link, in the order of adding, after the cursor `after`. Null if
 * no such link works: it ends with its time, its collection and its owner's account.
 */
export async function findSharedCollection(
  db: Db,
  token: string,
  after: Cursor | null,
): Promise<SharedCollection | null> {
  const found = await db.row<{ id: string; name: string; showsPrompt: boolean }>(sql`
    select collections.id, collections.name, shows_prompt as "showsPrompt"
    from share_links join collections on collections.id = share_links.collection_id
      join users on users.id = collections.user_id
    where token = ${tokenIn(token)} and ${works} and ${isOpen}`)
  if (!found) return null
  const { id, name, showsPrompt } = found
  const beyond = after
    ? sql`and (added_at, videos.id) > (${after.at}::timestamptz, ${after.id}::uuid)`
    : empty
  const rows = await db.rows<SharedMember & { addedAt: string }>(sql`
    select videos.id, placed.number as place, case when ${showsPrompt}::boolean then prompt end as prompt,
      aspect_ratio as "aspectRatio", poster_key is not null as "hasPoster",
      ${isoText(sql`added_at`)} as "addedAt"
    from collection_videos join videos on videos.id = video_id
      join ${placesIn(sql`${id}::uuid`)} as placed on placed.video_id = videos.id
    where collection_id = ${id} and ${isShown} ${beyond}
    order by added_at, videos.id limit ${CLIPS_PAGE + 1}`)
  const shown = rows.slice(0, CLIPS_PAGE)
  const last = shown.at(-1)
  const hasMore = rows.length > CLIPS_PAGE && last !== undefined
  return {
    name,
    clips: shown.map(({ addedAt: _, ...clip }) => clip),
    next: hasMore ? { at: last.addedAt, id: last.id } : null,
  }
}

/** Returns whether a collection has clips of the preview renderer, in whose picture the prompt is. */
export async function hasPreviewClips({ db }: UserCtx, collectionId: string): Promise<boolean> {
  const { found } = await db.one<{ found: boolean }>(sql`
    select exists (select 1 from collection_videos join videos on videos.id = video_id
      where collection_id = ${collectionId} and videos.deleted_at is null and model = ${PREVIEW_MODEL}) as found`)
  return found
}

/** Counts a download of a link. */
export async function countSharedDownload(db: Db, token: string): Promise<void> {
  await db.run(sql`update share_links set downloads = downloads + 1 where token = ${token}`)
}
