import type { Boot } from '~/boot/deps.server'
import { getStoredClip, noSuchVideo } from '~/domain/videos/queries.server'
import { userCtx } from './make-ctx.server'
import type { Get } from './own-routes.server'
import { sendStored } from './stored-file.server'

/** Mounts clips, posters and downloads: checked by cookie, with ranges and conditional requests. */
export function mountMedia(get: Get, { deps }: Boot): void {
  get('/media/:file', async (req, res) => {
    const [, id = '', kind] = /^([0-9a-f-]{36})\.(mp4|jpg)$/.exec(req.params.file ?? '') ?? []
    const clip = await getStoredClip(userCtx(deps, res.locals.context), id)
    const key = kind === 'jpg' ? clip.posterKey : clip.fileKey
    if (key === null) throw noSuchVideo()
    await sendStored(
      { req, res, storage: deps.storage },
      {
        key,
        type: kind === 'jpg' ? 'image/jpeg' : 'video/mp4',
        etag: `"${clip.sha256.slice(0, 32)}${kind === 'jpg' ? '-p' : ''}"`,
        disposition: 'inline',
      },
    )
  })

  get('/api/videos/:videoId/download', async (req, res) => {
    const { videoId = '' } = req.params
    const clip = await getStoredClip(userCtx(deps, res.locals.context), videoId)
    await sendStored(
      { req, res, storage: deps.storage },
      {
        key: clip.fileKey,
        type: 'video/mp4',
        etag: `"${clip.sha256.slice(0, 32)}"`,
        // From the id alone: no text of a user reaches a header.
        disposition: `attachment; filename="video-${videoId}.mp4"`,
      },
    )
  })
}
