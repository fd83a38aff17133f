import { createHash } from 'node:crypto'
import type { Request, Response } from 'express'
import type { Boot } from '~/boot/deps.server'
import { AppError } from '~/domain/errors'
import type { UserCtx } from '~/domain/context'
import { getQuota } from '~/domain/quota/queries.server'
import {
  countVideos,
  getCounts,
  getVideoJson,
  listChanges,
  listVideosJson,
} from '~/domain/videos/queries.server'
import { videoListQuery } from '~/domain/videos/schemas'
import { listBatches } from '~/domain/batches/queries.server'
import { userCtx } from './make-ctx.server'
import type { Get } from './own-routes.server'

// The calls that pages poll are answered in front of Remix: most of them end in a 304 that costs one
// row, and the others send JSON that PostgreSQL has written (docs/decisions/0006-hot-calls.md).

/** Mounts the polled calls. Access has been checked before. */
export function mountHotCalls(get: Get, { deps }: Boot): void {
  const ctxOf = (res: Response) => userCtx(deps, res.locals.context)

  get('/api/videos', async (req, res) => {
    const ctx = ctxOf(res)
    const parsed = videoListQuery.safeParse(req.query)
    if (!parsed.success)
      throw new AppError('BAD_INPUT', parsed.error.issues[0]?.message ?? 'Bad query')
    const query = parsed.data
    if (isUnchanged(req, res, await listVersion(ctx))) return
    const [videos, pagination] = await Promise.all([
      listVideosJson(ctx, query),
      countVideos(ctx, query),
    ])
    sendJson(res, `{"videos":${videos},"pagination":${JSON.stringify(pagination)}}`)
  })

  get('/api/videos/changes', async (req, res) => {
    const ctx = ctxOf(res)
    const since = Number(req.query.since ?? 0)
    if (!Number.isSafeInteger(since) || since < 0)
      throw new AppError('BAD_INPUT', 'since must be a version')
    const { counts, version } = await getCounts(ctx.db, ctx.actor.id)
    if (isUnchanged(req, res, `${version}`)) return
    const quota = getQuota(ctx.db, {
      userId: ctx.actor.id,
      limit: res.locals.context.visitor?.account.videoLimit ?? 0,
      timeZone: ctx.settings.timeZone,
    })
    const changes =
      since >= version
        ? { version, videos: [], deletedIds: [] }
        : await listChanges(ctx.db, ctx.actor.id, since)
    sendJson(res, JSON.stringify({ ...changes, counts, quota: await quota }))
  })

  get('/api/batches', async (req, res) => {
    const ctx = ctxOf(res)
    const batches = JSON.stringify(await listBatches(ctx))
    if (isUnchanged(req, res, createHash('sha1').update(batches).digest('base64url'))) return
    sendJson(res, batches)
  })

  get('/api/videos/:videoId/status', async (req, res) => {
    const { json, version } = await getVideoJson(ctxOf(res), req.params.videoId ?? '')
    if (isUnchanged(req, res, `${version}`)) return
    sendJson(res, json)
  })
}

/** What the list's answers depend on: the user's gallery, or everybody's. */
async function listVersion(ctx: UserCtx): Promise<string> {
  const { version } = await getCounts(ctx.db, ctx.actor.id)
  return ctx.actor.role === 'admin' ? '' : `${version}`
}

/** Answers 304 when the client holds this version; an empty version is never held. */
function isUnchanged(req: Request, res: Response, version: string): boolean {
  res.setHeader('Cache-Control', 'private, no-cache')
  if (version === '') return false
  const etag = `W/"${version}"`
  res.setHeader('ETag', etag)
  if (req.headers['if-none-match'] !== etag) return false
  res.status(304).end()
  return true
}

function sendJson(res: Response, json: string): void {
  res.type('application/json').send(json)
}
