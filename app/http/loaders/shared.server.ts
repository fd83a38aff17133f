import { json } from '@remix-run/node'
import { webBoot } from '~/boot/web.server'
import { isAppError } from '~/domain/errors'
import { readCursor, writeCursor } from '~/domain/videos/cursor'
import {
  findSharedCollection,
  getShared,
  getSharedMember,
  type SharedClip,
} from '~/domain/videos/share-links.server'
import { ENDED_LINK } from '~/lib/ended-link'
import { paths } from '~/lib/paths'

/**
 * Loads what the page of a link shows, with full addresses for messengers: a clip, a page of a
 * collection (`after`), or one of its clips (`clip`). Throws a 404 if the link has ended.
 */
export async function loadShared(token: string, search: URLSearchParams) {
  const { db } = webBoot().deps
  try {
    const clip = search.get('clip')
    if (clip !== null)
      return clipPage(await getSharedMember(db, token, clip), {
        clip: paths.sharedFile(token, clip, 'clip.mp4'),
        poster: paths.sharedFile(token, clip, 'poster.jpg'),
        download: paths.sharedFile(token, clip, 'download'),
        back: paths.shared(token),
      })
    const after = search.get('after') ?? undefined
    const collection = await findSharedCollection(db, token, readCursor(after))
    if (collection === null)
      return clipPage(await getShared(db, token), {
        clip: paths.sharedClip(token),
        poster: paths.sharedPoster(token),
        download: paths.sharedDownload(token),
        back: null,
      })
    const { name, clips, next } = collection
    const first = clips.find(({ hasPoster }) => hasPoster)
    return {
      kind: 'collection' as const,
      token,
      name,
      clips,
      isFirst: after === undefined,
      next: next && writeCursor(next),
      posterUrl: first ? fullAddress(paths.sharedFile(token, first.id, 'poster.jpg')) : null,
    }
  } catch (error) {
    if (isAppError(error) && error.code === 'NOT_FOUND') throw json(ENDED_LINK, 404)
    throw error
  }
}

/** The addresses of a clip's files, and of the collection that it is shown with. */
type Addresses = { clip: string; poster: string; download: string; back: string | null }

function clipPage(
  { prompt, aspectRatio, posterKey }: SharedClip,
  { clip, poster, download, back }: Addresses,
) {
  const posterPath = posterKey === null ? null : poster
  return {
    kind: 'clip' as const,
    prompt,
    aspectRatio,
    clipPath: clip,
    clipUrl: fullAddress(clip),
    posterPath,
    posterUrl: posterPath === null ? null : fullAddress(posterPath),
    downloadPath: download,
    back,
  }
}

const fullAddress = (path: string): string => new URL(path, webBoot().deps.settings.appUrl).href
