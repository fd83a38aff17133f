import type { Request, Response } from 'express'
import send from 'send'
import type { Boot } from '~/boot/deps.server'
import { AppError } from '~/domain/errors'
import { getStoredClip, noSuchVideo } from '~/domain/videos/queries.server'
import { userCtx } from './make-ctx.server'
import type { Get } from './own-routes.server'

/** Large enough that the disk, not the event loop, sets the speed. */
const CHUNK_BYTES = 1024 * 1024

type File = { path: string; type: string; etag: string; disposition: string }

/** Mounts clips, posters and downloads: checked by cookie, with ranges and conditional requests. */
export function mountMedia(get: Get, { deps }: Boot): void {
  get('/media/:file', async (req, res) => {
    const [, id = '', kind] = /^([0-9a-f-]{36})\.(mp4|jpg)$/.exec(req.params.file ?? '') ?? []
    const clip = await getStoredClip(userCtx(deps, res.locals.context), id)
    const key = kind === 'jpg' ? clip.posterKey : clip.fileKey
    if (key === null) throw noSuchVideo()
    await sendFile(req, res, {
      path: deps.storage.localPath(key),
      type: kind === 'jpg' ? 'image/jpeg' : 'video/mp4',
      etag: `"${clip.sha256.slice(0, 32)}${kind === 'jpg' ? '-p' : ''}"`,
      disposition: 'inline',
    })
  })

  get('/api/videos/:videoId/download', async (req, res) => {
    const { videoId = '' } = req.params
    const clip = await getStoredClip(userCtx(deps, res.locals.context), videoId)
    await sendFile(req, res, {
      path: deps.storage.localPath(clip.fileKey),
      type: 'video/mp4',
      etag: `"${clip.sha256.slice(0, 32)}"`,
      // From the id alone: no text of a user reaches a header.
      disposition: `attachment; filename="video-${videoId}.mp4"`,
    })
  })
}

function sendFile(
  req: Request,
  res: Response,
  { path, type, etag, disposition }: File,
): Promise<void> {
  res.setHeader('Content-Type', type)
  res.setHeader('ETag', etag)
  res.setHeader('Cache-Control', 'private, no-cache')
  res.setHeader('Content-Disposition', disposition)
  return new Promise((resolve, reject) => {
    const options = {
      etag: false,
      cacheControl: false,
      dotfiles: 'deny',
      highWaterMark: CHUNK_BYTES,
    } as const
    send(req, path, options)
      .on('error', (error: NodeJS.ErrnoException & { status?: number }) => {
        if (error.status === 416) {
          res.status(416).end()
          return resolve()
        }
        reject(
          error.code === 'ENOENT'
            ? new AppError('NOT_FOUND', 'The file of this video is missing', { details: { path } })
            : error,
        )
      })
      .on('end', resolve)
      .pipe(res)
    res.once('close', resolve)
  })
}
