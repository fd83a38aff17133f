import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { Db } from '~/platform/db/port'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { isoText } from '../iso-text.server'
import type { ShareLinkInput } from './schemas'
import { noSuchVideo } from './queries.server'
import type { AspectRatio } from './types'

/** A link to one clip for people without an account, as its owner sees it. */
export type ShareLink = {
  token: string
  showsPrompt: boolean
  createdAt: string
  /** Null: until its owner ends it. */
  expiresAt: string | null
  downloads: number
}

/** A clip that a link leads to. */
export type SharedClip = {
  /** Null if the owner does not show it. */
  prompt: string | null
  aspectRatio: AspectRatio
  fileKey: string
  posterKey: string | null
  sha256: string
}

/** Links of one video that work at a time. */
const MOST_LINKS = 20

/** Returns a text from an address if it can be a token, or null: PostgreSQL takes no NUL character. */
const tokenIn = (text: string): string | null => (/^[\w-]+$/.test(text) ? text : null)

/** As many random bits as a session's token. */
const newToken = (): string => randomBytes(32).toString('base64url')

const works = sql`(share_links.expires_at is null or share_links.expires_at > engine_now())`

/** Lists the links to one of the actor's own videos that work, newest first. */
export const listShareLinks = ({ db, actor }: UserCtx, videoId: string): Promise<ShareLink[]> =>
  db.rows<ShareLink>(sql`
    select token, shows_prompt as "showsPrompt", downloads, ${isoText(sql`share_links.created_at`)} as "createdAt",
      ${isoText(sql`share_links.expires_at`)} as "expiresAt"
    from share_links join videos on videos.id = video_id
    where video_id = ${videoId} and videos.user_id = ${actor.id} and ${works}
    order by share_links.created_at desc, token limit ${MOST_LINKS}`)

/**
 * Creates a link to the clip of one of the actor's own videos. Throws NOT_FOUND, or CONFLICT if there is no
 * clip yet or the video has MOST_LINKS links.
 */
export async function createShareLink(
  { db, actor }: UserCtx,
  videoId: string,
  { days, showsPrompt }: ShareLinkInput,
): Promise<void> {
  if (!isId(videoId)) throw noSuchVideo()
  await db.transaction(async (tx) => {
    const video = await tx.row<{ hasClip: boolean; links: number }>(sql`
      select file_key is not null as "hasClip",
        (select count(*)::int from share_links where video_id = videos.id and ${works}) as links
      from videos where id = ${videoId} and user_id = ${actor.id} and deleted_at is null for update`)
    if (!video) throw noSuchVideo()
    if (!video.hasClip) throw new AppError('CONFLICT', 'This video is not finished yet')
    if (video.links >= MOST_LINKS)
      throw new AppError('CONFLICT', `A video has at most ${MOST_LINKS} links. End one first.`)
    await tx.run(sql`
      insert into share_links (token, video_id, shows_prompt, created_at, expires_at)
      values (${newToken()}, ${videoId}, ${showsPrompt}, engine_now(),
        engine_now() + make_interval(days => ${days}::int))`)
  })
}

/** Ends a link to one of the actor's own videos. Throws NOT_FOUND. */
export async function endShareLink({ db, actor }: UserCtx, token: string): Promise<void> {
  const ended = await db.run(sql`
    delete from share_links using videos
    where token = ${tokenIn(token)} and videos.id = video_id and videos.user_id = ${actor.id}`)
  if (ended === 0) throw new AppError('NOT_FOUND', 'This link has ended')
}

/**
 * Returns the clip of a link. A link ends with its time, its video and its owner's account. Throws
 * NOT_FOUND.
 */
export async function getShared(db: Db, token: string): Promise<SharedClip> {
  const shared = await db.row<SharedClip>(sql`
    select case when shows_prompt then prompt end as prompt, aspect_ratio as "aspectRatio",
      file_key as "fileKey", poster_key as "posterKey", file_sha256 as sha256
    from share_links join videos on videos.id = video_id join users on users.id = videos.user_id
    where token = ${tokenIn(token)} and ${works} and videos.deleted_at is null and file_key is not null
      and file_sha256 is not null and users.is_active and users.deleted_at is null`)
  if (!shared) throw new AppError('NOT_FOUND', 'This video is not shared any more')
  return shared
}

/** Counts a download of a link. */
export async function countSharedDownload(db: Db, token: string): Promise<void> {
  await db.run(sql`update share_links set downloads = downloads + 1 where token = ${token}`)
}
