import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import { findFilm } from '../../app/domain/films/film.server'
import { isUnfinished } from '../../app/domain/films/rules'
import type { UserCtx } from '../../app/domain/context'
import type { FilmNews } from '../../app/domain/films/types'
import { renderClip } from '../../renderer/render'
import type { Installation } from './installation'
import { makeVideos } from './videos'
import { until } from './wait'

type Shape = { ratio: 'portrait' | 'landscape'; seconds: number }
const drawn = new Map<string, Promise<Uint8Array>>()

/** Returns a real clip, drawn by the preview renderer, once per process. */
export function drawClip({ ratio, seconds }: Shape): Promise<Uint8Array> {
  const key = `${ratio} ${seconds}`
  const known = drawn.get(key)
  if (known) return known
  const order = { prompt: 'a lake', negativePrompt: null, durationSeconds: seconds, seed: seconds }
  const clip = renderClip(
    { ...order, aspectRatio: ratio },
    { onStill: () => Promise.resolve(), onProgress: () => undefined },
  )
  drawn.set(key, clip)
  return clip
}

/** Adds completed videos with real clips to a user's gallery, the oldest first. Returns their ids. */
export async function addClips(
  product: Pick<Installation, 'db' | 'dataDir'>,
  userId: string,
  clips: readonly (Partial<Shape> & { prompt?: string })[],
): Promise<string[]> {
  const shapes = clips.map(({ ratio = 'portrait', seconds = 1 }) => ({ ratio, seconds }))
  const made = await makeVideos(
    product,
    userId,
    clips.map(({ prompt }, i) => ({
      aspect_ratio: shapes[i]!.ratio,
      ...(prompt !== undefined && { prompt }),
    })),
  )
  for (const [i, { id, file }] of made.entries()) {
    const bytes = await drawClip(shapes[i]!)
    await fs.writeFile(file, bytes)
    await product.db.query(
      `update videos set file_bytes = $2, file_sha256 = $3, duration_ms = $4, file_crc32 = null where id = $1`,
      [
        id,
        bytes.length,
        createHash('sha256').update(bytes).digest('hex'),
        shapes[i]!.seconds * 1000,
      ],
    )
  }
  return made.map(({ id }) => id)
}

/** Waits until a film that was ordered is ready, or has failed. */
export const endOfFilm = (owner: UserCtx, ids: readonly string[]): Promise<FilmNews> =>
  until('the film', async () => {
    const film = await findFilm(owner, ids)
    return film && !isUnfinished(film.news) ? film.news : null
  })
