import type { Request, Response } from 'express'
import type { Boot } from '~/boot/deps.server'
import { getFilmFile, noSuchFilm } from '~/domain/films/film-files.server'
import type { UserCtx } from '~/domain/context'
import { getStoredPicture } from '~/domain/videos/pictures.server'
import type { PicturePlace } from '~/domain/videos/requests/pictures'
import { findStill, type Still } from '~/domain/videos/gallery/progress.server'
import {
  getStoredClip,
  nameOfClip,
  noSuchVideo,
  type StoredClip,
} from '~/domain/videos/queries.server'
import { sharedClipName } from '~/domain/videos/file-names.server'
import {
  countSharedDownload,
  getPlaceOfShared,
  getShared,
  getSharedMember,
} from '~/domain/videos/share-links.server'
import { smallWebpOf, webpOf } from '~/lib/poster-files'
import { fileNameWords } from '~/lib/text'
import { userCtx } from '../session/make-ctx.server'
import { attachment } from './attachment.server'
import type { Get } from './express-routes.server'
import { sendStored, type Exchange, type StoredFile } from './stored-file.server'

const MEDIA_FILE = /^([0-9a-f-]{36})\.(mp4|jpg|webp|small\.webp|still\.jpg|(?:end-)?picture\.jpeg)$/

/**
 * Mounts clips, posters, stills and downloads. They check the session cookie and support ranges and
 * conditional requests.
 */
export function mountMedia(get: Get, { deps }: Boot): void {
  get('/media/:file', async (req, res) => {
    const [, id = '', kind] = MEDIA_FILE.exec(req.params.file ?? '') ?? []
    const ctx = userCtx(deps, res.locals.context)
    // A page that was rendered a moment ago may ask for the still of a clip that is ready by now: it
    // gets the poster.
    const still = kind === 'still.jpg' ? await findStill(ctx, id) : undefined
    if (still) return sendStill(res, still)
    const place = PICTURES[kind ?? '']
    if (place) return sendPicture({ req, res, storage: deps.storage }, ctx, { id, place })
    const clip = await getStoredClip(ctx, id)
    const file = kind === 'mp4' ? clipFile(clip) : posterFile(clip, kind)
    await sendStored({ req, res, storage: deps.storage }, { ...file, disposition: 'inline' })
  })

  get('/api/videos/:videoId/download', async (req, res) => {
    const { videoId = '' } = req.params
    const ctx = userCtx(deps, res.locals.context)
    const clip = await getStoredClip(ctx, videoId)
    const name = await nameOfClip(ctx, videoId, clip)
    await sendStored(
      { req, res, storage: deps.storage },
      { ...clipFile(clip), disposition: savedAs(name, `video-${videoId}`) },
    )
  })
}

/**
 * Mounts the files of shared clips. Who has the link needs no session. Nothing of them is indexed.
 */
export function mountShared(get: Get, { deps }: Boot): void {
  const { db, storage } = deps
  const send = async (req: Request, res: Response, file: StoredFile) => {
    res.setHeader('X-Robots-Tag', 'noindex')
    await sendStored({ req, res, storage }, file)
  }
  const countDownload = async (req: Request, token: string) => {
    if (beginsDownload(req)) await countSharedDownload(db, token)
  }
  get('/shared/:token/clip.mp4', async (req, res) => {
    const clip = await getShared(db, req.params.token ?? '')
    await send(req, res, { ...clipFile(clip), disposition: 'inline' })
  })
  get('/shared/:token/poster.jpg', async (req, res) => {
    const clip = await getShared(db, req.params.token ?? '')
    await send(req, res, { ...posterFile(clip, 'jpg'), disposition: 'inline' })
  })
  get('/shared/:token/download', async (req, res) => {
    const { token = '' } = req.params
    const clip = await getShared(db, token)
    await countDownload(req, token)
    const { name, plainName } = sharedClipName({ ...clip, place: null })
    await send(req, res, { ...clipFile(clip), disposition: savedAs(name, plainName) })
  })
  get('/shared/:token/:videoId/:file', async (req, res) => {
    const { token = '', videoId = '', file = '' } = req.params
    const clip = await getSharedMember(db, token, videoId)
    switch (file) {
      case 'clip.mp4':
        return send(req, res, { ...clipFile(clip), disposition: 'inline' })
      case 'poster.jpg':
        return send(req, res, { ...posterFile(clip, 'jpg'), disposition: 'inline' })
      case 'poster.webp':
        return send(req, res, { ...posterFile(clip, 'small.webp'), disposition: 'inline' })
      case 'download': {
        await countDownload(req, token)
        const place = await getPlaceOfShared(db, token, videoId)
        const { name, plainName } = sharedClipName({ ...clip, place })
        return send(req, res, { ...clipFile(clip), disposition: savedAs(name, plainName) })
      }
      default:
        throw noSuchVideo()
    }
  })
}

/**
 * Returns whether a request begins a download. One that is continued counts once, and what only looks does
 * not count: a HEAD, a prefetch, the first two bytes, the check of a copy that the browser has.
 */
function beginsDownload({ method, headers }: Request): boolean {
  const isPrefetch = /prefetch/i.test(String(headers['sec-purpose'] ?? headers.purpose ?? ''))
  const isCheck =
    headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined
  const isBeginning = headers.range === undefined || /^bytes=0-(?![01]$)/.test(headers.range.trim())
  return method === 'GET' && !isPrefetch && !isCheck && isBeginning
}

/** Mounts the files of films, for their owners alone: where a film is follows from who asks. */
export function mountFilms(get: Get, { deps }: Boot): void {
  get('/films/:filmId/:file', async (req, res) => {
    const { filmId = '', file } = req.params
    if (file !== 'film.mp4' && file !== 'download') throw noSuchFilm()
    const { key } = await getFilmFile(userCtx(deps, res.locals.context), filmId)
    const { name } = req.query
    const words = fileNameWords(typeof name === 'string' ? name : '', 'film')
    const disposition = file === 'download' ? savedAs(words, 'film') : 'inline'
    await sendStored(
      { req, res, storage: deps.storage },
      { key, type: 'video/mp4', etag: `"${filmId}"`, disposition },
    )
  })
}

type Stored = Pick<StoredClip, 'fileKey' | 'posterKey' | 'sha256'>

const clipFile = ({ fileKey, sha256 }: Stored) => ({
  key: fileKey,
  type: 'video/mp4',
  etag: `"${sha256.slice(0, 32)}"`,
})

/** Posters stored by older versions have no WebP. Then the JPEG is sent. */
function posterFile({ posterKey, sha256 }: Stored, kind: string | undefined) {
  if (posterKey === null) throw noSuchVideo()
  const etag = (mark: string) => `"${sha256.slice(0, 32)}-${mark}"`
  const jpeg = { key: posterKey, type: 'image/jpeg', etag: etag('p') }
  const webp = { type: 'image/webp', orElse: jpeg }
  switch (kind) {
    case 'webp':
      return { ...webp, key: webpOf(posterKey), etag: etag('w') }
    case 'small.webp':
      return { ...webp, key: smallWebpOf(posterKey), etag: etag('s') }
    default:
      return jpeg
  }
}

/** The endings of the addresses of a video's pictures. */
const PICTURES: Readonly<Record<string, PicturePlace>> = {
  'picture.jpeg': 'first',
  'end-picture.jpeg': 'end',
}

/** A picture with which a video begins or ends: for those who may see the video, also before it is made. */
async function sendPicture(
  exchange: Exchange,
  ctx: UserCtx,
  { id, place }: { id: string; place: PicturePlace },
): Promise<void> {
  const { fileKey: key, sha256 } = await getStoredPicture(ctx, id, place)
  const etag = `"${sha256.slice(0, 32)}"`
  await sendStored(exchange, { key, type: 'image/jpeg', etag, disposition: 'inline' })
}

/** Express answers a conditional request for it with a 304. */
const sendStill = (res: Response, { attemptId, jpeg }: Still) =>
  res
    .type('image/jpeg')
    .set({ ETag: `"${attemptId}"`, 'Cache-Control': 'private, no-cache' })
    .send(jpeg)

/** Returns the Content-Disposition of a clip that is saved. */
const savedAs = (name: string, plainName: string): string =>
  attachment({ name, plainName, ending: 'mp4' })
