import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Request, Response } from 'express'
import type { Boot } from '~/boot/deps.server'
import { databaseNow } from '~/domain/clock.server'
import { AppError } from '~/domain/errors'
import type { UserCtx } from '~/domain/context'
import { getFeedState } from '~/domain/videos/gallery/changes.server'
import { getCounts } from '~/domain/videos/gallery/counts.server'
import { isEverybodys, listOwnVideos } from '~/domain/videos/gallery/list.server'
import { getAllVideosVersion } from '~/domain/videos/admin/all-videos-counts.server'
import { listAllVideos } from '~/domain/videos/admin/all-videos-list.server'
import { getPulse } from '~/domain/videos/gallery/progress.server'
import { PULSE_HEADER } from '~/domain/videos/gallery/pulse'
import { getVersionedVideo } from '~/domain/videos/queries.server'
import { WHOLE_ROWS } from '~/domain/videos/read-list.server'
import { videoListQuery } from '~/domain/videos/schemas'
import { listBatches } from '~/domain/batches/queries.server'
import { dayIn } from '~/lib/time'
import { holdsVersion } from '../responses/etag.server'
import { readFeed } from './feed.server'
import { heavyReads } from './one-at-a-time.server'
import type { Pagination, VideoView } from '~/domain/videos/types'
import { accountOf } from '../session/load-context'
import { userCtx } from '../session/make-ctx.server'
import type { Get } from './express-routes.server'

// Polled calls are handled in front of Remix. Most of them end in a 304 that costs one row
// (docs/decisions/0006-polling-endpoints.md).

/** Mounts the polled calls. Runs after the access check. */
export function mountPolledCalls(get: Get, { deps }: Boot): void {
  const ctxOf = (res: Response) => userCtx(deps, res.locals.context)

  get('/api/videos', async (req, res) => {
    const ctx = ctxOf(res)
    const parsed = videoListQuery.safeParse(req.query)
    if (!parsed.success)
      throw new AppError('BAD_INPUT', parsed.error.issues[0]?.message ?? 'Bad query')
    const query = parsed.data
    // 'This week' is another list on the next day, though no video has changed.
    const day =
      query.days === undefined ? '' : `.${dayIn(deps.settings.timeZone, await databaseNow(ctx.db))}`
    if (isEverybodys(ctx, query)) {
      if (isUnchanged(req, res, `all.${await getAllVideosVersion(ctx.db)}${day}`)) return
      return sendList(res, await inTurn(query, () => listAllVideos(ctx, query, toJson)))
    }
    const { counts, version } = await getCounts(ctx.db, ctx.actor.id)
    if (isUnchanged(req, res, `${version}${day}`)) return
    const read = () => listOwnVideos(ctx, query, { counts, toPiece: toJson })
    await sendList(res, await inTurn(query, read))
  })

  get('/api/videos/changes', (req, res) => sendChanges(ctxOf(res), req, res))

  get('/api/batches', async (req, res) => {
    const ctx = ctxOf(res)
    const { before } = req.query
    const [batches, pulse] = await Promise.all([
      listBatches(ctx, typeof before === 'string' ? before : null),
      getPulse(ctx),
    ])
    res.setHeader(PULSE_HEADER, JSON.stringify(pulse))
    // The estimate moves with the clock. It counts as a change only when its minute changes.
    const news = batches.map((batch) => ({
      ...batch,
      finishEstimate: batch.finishEstimate?.slice(0, 'YYYY-MM-DDTHH:MM'.length),
    }))
    const version = createHash('sha1').update(JSON.stringify(news)).digest('base64url')
    if (isUnchanged(req, res, version)) return
    sendJson(res, JSON.stringify(batches))
  })

  get('/api/videos/:videoId/status', async (req, res) => {
    const ctx = ctxOf(res)
    const { video, version } = await getVersionedVideo(ctx, req.params.videoId ?? '')
    res.setHeader(PULSE_HEADER, JSON.stringify(await getPulse(ctx)))
    if (isUnchanged(req, res, `${version}`)) return
    sendJson(res, JSON.stringify(video))
  })
}

/**
 * Sends what changed in the user's videos and quota. Sends a 304, after reading two rows, if
 * nothing changed.
 */
async function sendChanges(ctx: UserCtx, req: Request, res: Response): Promise<void> {
  const { since: asked } = req.query
  if (asked !== undefined && (typeof asked !== 'string' || !/^\d{1,15}$/.test(asked)))
    throw new AppError('BAD_INPUT', 'since must be a version')
  const since = asked === undefined ? null : Number(asked)
  const account = accountOf(res.locals.context)
  if (!account) throw new AppError('NOT_SIGNED_IN', 'Please sign in')
  // The create screen gets the pulse from its other polls.
  const withPulse = req.query.screen === 'videos'
  const { tag, pulse } = await getFeedState(ctx, {
    limit: account.videoLimit,
    clipUnits: account.clipUnits,
    withPulse,
  })
  if (pulse) res.setHeader(PULSE_HEADER, JSON.stringify(pulse))
  if (isUnchanged(req, res, tag)) return
  // The body contains everything that the pulse reports.
  res.removeHeader(PULSE_HEADER)
  const { searchParams: search } = new URL(req.originalUrl, 'http://own')
  const page = { search, cookies: req.headers.cookie ?? '' }
  const answer = await readFeed(ctx, { account, since, asked: page })
  // A later 304 for this tag would confirm an incomplete response as complete.
  if (answer.isShort) res.removeHeader('ETag')
  sendJson(res, JSON.stringify(answer))
}

/**
 * Sets the ETag, and sends a 304 if the client has this version. The tag includes the account,
 * because a browser caches by URL alone: after a change of accounts the cached response of the
 * former one must not be confirmed.
 */
function isUnchanged(req: Request, res: Response, version: string): boolean {
  const reader = accountOf(res.locals.context)?.id.slice(-12) ?? ''
  const etag = `W/"${reader}.${version}"`
  res.setHeader('Cache-Control', 'private, no-cache')
  res.setHeader('ETag', etag)
  if (!holdsVersion(req.headers['if-none-match'], etag)) return false
  res.status(304).end()
  return true
}

/** The JSON of the rows of a list, some at a time. */
type List = { pieces: string[]; pagination: Pagination }

/** Some videos as JSON, without the brackets around them. */
const toJson = (videos: VideoView[]): string => JSON.stringify(videos).slice(1, -1)

/** Reads a list; a long one, of which several would keep the database busy, in turn with others. */
const inTurn = ({ limit }: { limit: number }, read: () => Promise<List>): Promise<List> =>
  limit > WHOLE_ROWS ? heavyReads(read) : read()

async function sendList(res: Response, { pieces, pagination }: List): Promise<void> {
  const [first = '', ...others] = pieces.filter((piece) => piece !== '')
  const parts = [
    `{"videos":[${first}`,
    ...others.map((piece) => `,${piece}`),
    `],"pagination":${JSON.stringify(pagination)}}`,
  ]
  if (others.length === 0) return sendJson(res, parts.join(''))
  res.type('application/json')
  // A client that disconnects is not an error.
  await pipeline(Readable.from(parts, { objectMode: false }), res).catch((error: unknown) => {
    if (!res.destroyed) throw error
  })
}

function sendJson(res: Response, json: string): void {
  res.type('application/json').send(json)
}
