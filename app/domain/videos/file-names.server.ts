import sql, { type Sql } from 'sql-template-tag'
import { fileNameWords } from '~/lib/text'
import type { Tx } from '~/platform/db/port'
import type { UserCtx } from '../context'
import { COLLECTION_LIMITS } from './collections'
import { lockGalleries } from './locks.server'
import { VIDEO_NAME_CHARACTERS } from './video-names'

/**
 * Gives every video of the owners of the videos that match `which` its number, unless it has one: in
 * the order of creation, after the highest that its owner has. Videos in the trash get one too. A
 * number never changes, so a clip has the same name in every download, except in the archive of a
 * collection, where its place is its number.
 */
export async function numberVideos({ db }: UserCtx, which: Sql): Promise<void> {
  const owners = await db.rows<{ id: string }>(sql`
    select distinct videos.user_id as id from videos where ${which} and ${IS_NEW}`)
  if (owners.length === 0) return
  const ids = owners.map(({ id }) => id)
  await db.transaction((tx) => numberVideosOf(tx, ids))
}

const IS_NEW = sql`not exists (select 1 from video_numbers as known where known.video_id = videos.id)`

/** The same for all videos of some owners. */
export async function numberVideosOf(tx: Tx, ownerIds: readonly string[]): Promise<void> {
  await lockGalleries(tx, ownerIds)
  await tx.run(sql`
    insert into video_numbers (video_id, user_id, number)
    select id, user_id, row_number() over (partition by user_id order by created_at, id)
      + coalesce((select max(number) from video_numbers as known where known.user_id = videos.user_id), 0)
    from videos where user_id = any(${[...ownerIds]}::uuid[]) and ${IS_NEW}`)
}

type Named = {
  number: number
  name: string | null
  prompt: string
  userId: string
  owner: string
}

/** A name that a user has given fits into a file name whole. */
const WHOLE = Math.max(VIDEO_NAME_CHARACTERS, COLLECTION_LIMITS.nameCharacters)

/**
 * Returns all words of the name of a video or a collection for use in a file name, or `none` if it has
 * only signs, which no file name has.
 */
export const wholeNameWords = (name: string, none: string): string =>
  fileNameWords(name, none, { words: WHOLE, characters: WHOLE })

const wordsOf = ({ name, prompt }: Pick<Named, 'name' | 'prompt'>): string =>
  wholeNameWords(name ?? '', '') || fileNameWords(prompt)

/** Returns the name of the file of a clip for its owner. */
export const clipFileName = (named: Pick<Named, 'number' | 'name' | 'prompt'>): string =>
  `${numbered(named.number)}_${wordsOf(named)}.mp4`

/**
 * Returns the name of a clip's file without its ending, for downloads and archives: its number, and
 * the name of the video or the first words of its prompt. For others than its owner the owner's name
 * comes first, because the numbers of two users are not different.
 */
export function clipName({ actor }: UserCtx, named: Named): string {
  const { number, userId, owner } = named
  const name = `${numbered(number)}_${wordsOf(named)}`
  return userId === actor.id ? name : `${fileNameWords(owner, 'user')}_${name}`
}

const numbered = (number: number): string => String(number).padStart(4, '0')

/** A shared clip. `prompt` is null if the link does not show it, `place` if it is not of a collection. */
type SharedName = { name: string | null; prompt: string | null; place: number | null }

/**
 * Returns the name of a shared clip's file without its ending, and the one for clients that know only
 * ASCII. Where the link shows the prompt it is that of the owner's downloads, with the place in the
 * collection as its number: guests are not told how many videos the owner has. Otherwise it has nothing
 * of the prompt or the name.
 */
export function sharedClipName({ name, prompt, place }: SharedName): {
  name: string
  plainName: string
} {
  const plainName = place === null ? 'video' : `video-${place}`
  if (prompt === null) return { name: plainName, plainName }
  const words = wordsOf({ name, prompt })
  return { name: place === null ? words : `${numbered(place)}_${words}`, plainName }
}
