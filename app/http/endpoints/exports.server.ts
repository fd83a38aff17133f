import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import express, { type Request, type Response } from 'express'
import { z } from 'zod'
import type { Boot } from '~/boot/deps.server'
import type { UserCtx } from '~/domain/context'
import { AppError, isAppError } from '~/domain/errors'
import { planArchive, postingList, VIDEOS } from '~/domain/videos/gallery/archive.server'
import { CHOOSING, readChoice, type VideoChoice } from '~/domain/videos/gallery/choice'
import { readPrompts, type ChosenPrompt } from '~/domain/videos/gallery/chosen.server'
import { promptEntry } from '~/domain/videos/rules'
import { codeOf } from '~/lib/error-facts'
import { paths, safeRedirect } from '~/lib/paths'
import { excerpt } from '~/lib/text'
import { dayIn } from '~/lib/time'
import { readZip } from '~/lib/zip.server'
import { StorageUnavailable } from '~/platform/storage/port'
import { createCookies, type Toast } from '../session/cookies.server'
import { holdsVersion } from '../responses/etag.server'
import { toAppError } from '../responses/failures.server'
import { oneAtATime, heavyReads } from './one-at-a-time.server'
import { userCtx } from '../session/make-ctx.server'
import { attachment } from './attachment.server'
import { caught, type Get, type Post } from './express-routes.server'
import { partOf } from './stored-file.server'

/**
 * Mounts the downloads that contain many videos: the archive of clips, the text file of prompts and the
 * posting list.
 */
export function mountExports({ get, post }: { get: Get; post: Post }, { deps, env }: Boot): void {
  const cookies = createCookies(env)

  /**
   * Sends a file. If a page without scripts requested it (`from`), a refusal becomes a toast on
   * that page.
   */
  const file =
    (send: (call: Call) => Promise<void>) =>
    async (req: Request, res: Response): Promise<void> => {
      const ctx = userCtx(deps, res.locals.context)
      const { searchParams } = new URL(req.originalUrl, env.APP_URL)
      try {
        const asked = req.method === 'POST' ? postedFields(req) : searchParams
        refuseUnknown(asked, searchParams.get('from') ?? asked.get('from') ?? '')
        await send({ ctx, choice: choiceOf(asked), req, res })
      } catch (error) {
        // A program has no page, and gets no cookies.
        const from = res.locals.context.visitor && searchParams.get('from')
        const isTold = isAppError(error) || error instanceof StorageUnavailable
        if (from === null || !isTold || res.headersSent) throw error
        const refusal = toAppError(error, ctx.requestId)
        const toast: Toast = { kind: 'error', ...wordsOf(refusal) }
        res.append('Set-Cookie', await cookies.toast.serialize(toast))
        res.redirect(303, safeRedirect(from, paths.app))
      }
    }

  get(paths.api.archive, file(sendArchive))
  get(paths.prompts, file(sendPrompts))
  get(paths.postingList, file(sendPosts))
  // A selection of hundreds has no room in an address.
  post(paths.api.archive, readFields, caught(file(sendArchive)))
  post(paths.prompts, readFields, caught(file(sendPrompts)))
  post(paths.postingList, readFields, caught(file(sendPosts)))
}

/** Reads a posted form. Its size is limited in front of all routes. */
const readFields = express.text({ type: () => true, limit: '1mb' })

/** A JSON body: the fields of the form, with lists of texts. */
const postedJson = z.record(z.string().or(z.array(z.string())))

/**
 * Returns the fields of a form or of a JSON object. Throws UNSUPPORTED or BAD_INPUT for any other body,
 * and for one without a field that chooses: what is not understood must not mean all videos.
 */
function postedFields(req: Request): URLSearchParams {
  const text = typeof req.body === 'string' ? req.body : ''
  const fields = req.is('json') ? fieldsOfJson(text) : formFields(req, text)
  if (!CHOOSING.some((name) => fields.has(name)))
    throw new AppError('BAD_INPUT', 'Name the videos in ids, or send choice=all')
  return fields
}

/**
 * Throws BAD_INPUT for a field that means nothing here: it may name the videos in another spelling. A page
 * without scripts also sends what its own address has, which it names in `from`.
 */
function refuseUnknown(fields: URLSearchParams, from: string): void {
  const ofPage = new URLSearchParams(from.slice(from.indexOf('?') + 1))
  const unknown = [...fields.keys()].find(
    (name) => name !== 'from' && !CHOOSING.includes(name) && !ofPage.has(name),
  )
  if (unknown === undefined) return
  const problem = `${excerpt(unknown, 40)} is not known here: name the videos in ids`
  throw new AppError('BAD_INPUT', problem)
}

function formFields(req: Request, text: string): URLSearchParams {
  if (text !== '' && !req.is('urlencoded'))
    throw new AppError('UNSUPPORTED', 'Send a form, or JSON with the content type application/json')
  return new URLSearchParams(text)
}

function fieldsOfJson(text: string): URLSearchParams {
  const parsed = postedJson.safeParse(parseJson(text))
  if (!parsed.success) throw new AppError('BAD_INPUT', 'The body is not an object of texts')
  return new URLSearchParams(
    Object.entries(parsed.data).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    ),
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Call = { ctx: UserCtx; choice: VideoChoice; req: Request; res: Response }

function choiceOf(search: URLSearchParams): VideoChoice {
  const parsed = readChoice(search)
  if (!parsed.success) {
    throw new AppError('BAD_INPUT', parsed.error.issues[0]?.message ?? 'Bad query')
  }
  if (parsed.data.kind === 'selected' && parsed.data.ids.length === 0) {
    throw new AppError('BAD_INPUT', 'No videos selected')
  }
  return parsed.data
}

/**
 * Returns the toast's title and description. The specification lists titles for some refusals (§5).
 */
function wordsOf({ code, message }: AppError): Pick<Toast, 'title' | 'description'> {
  if (message === 'No videos selected') return { title: message }
  if (code === 'NOT_FOUND') return { title: 'No videos to download', description: message }
  return { title: 'Download failed', description: message }
}

const dated = ({ settings }: UserCtx, name: string): string =>
  name.replace('*', dayIn(settings.timeZone, new Date()))

const zipName = (ctx: UserCtx, name: string): string =>
  attachment({
    name: dated(ctx, `${name}-*`),
    plainName: dated(ctx, `${VIDEOS}-*`),
    ending: 'zip',
  })

async function sendArchive({ ctx, choice, req, res }: Call): Promise<void> {
  const archive = await heavyReads(() => planArchive(ctx, choice))
  const { length } = archive.layout
  const etag = `"${archive.tag}"`
  res.setHeader('Content-Type', 'application/zip')
  res.setHeader('Content-Disposition', zipName(ctx, archive.name))
  res.setHeader('Cache-Control', 'private, no-cache, no-transform')
  res.setHeader('Accept-Ranges', 'bytes')
  res.setHeader('ETag', etag)
  if (holdsVersion(req.headers['if-none-match'], etag)) return void res.status(304).end()
  const part = askedPart(req, { length, etag })
  if (part === 'unreachable') {
    res.setHeader('Content-Range', `bytes */${length}`)
    return void res.status(416).end()
  }
  const { from, to } = part ?? { from: 0, to: length }
  if (part) res.status(206).setHeader('Content-Range', `bytes ${from}-${to - 1}/${length}`)
  res.setHeader('Content-Length', to - from)
  if (req.method === 'HEAD') return void res.end()
  await send(readZip(archive.layout, archive.read, { from, to }), res)
}

type Part = { from: number; to: number }

/**
 * Returns the one range that a request asks for, or null for the whole file. Several ranges, or a
 * range of another version, also get the whole file.
 */
function askedPart(
  req: Request,
  { length, etag }: { length: number; etag: string },
): Part | 'unreachable' | null {
  const ifRange = req.headers['if-range']
  if (ifRange !== undefined && ifRange !== etag) return null
  const part = partOf(req.get('range'), length)
  if (part === 'none') return 'unreachable'
  return part === 'whole' ? null : { from: part.first, to: part.last + 1 }
}

/**
 * Streams the pieces at the client's speed. If the client disconnects, the stream ends and open
 * files are closed.
 */
async function send(pieces: AsyncIterable<Uint8Array | string>, res: Response): Promise<void> {
  try {
    await pipeline(Readable.from(pieces, { objectMode: false }), res)
  } catch (error) {
    // A client that disconnects is not an error. A file that ends early is one.
    if (!isGoneAway(error)) throw error
  }
}

const isGoneAway = (error: unknown): boolean => codeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE'

function nameList(res: Response, name: string): void {
  res.setHeader('Content-Disposition', `attachment; filename="${name}"`)
  res.setHeader('Cache-Control', 'no-store')
}

async function sendPrompts({ ctx, choice, res }: Call): Promise<void> {
  const pages = oneAtATime(readPrompts(ctx, choice))
  // Read the first page before sending headers, so that an error is shown instead of being saved as
  // a file.
  const first = await pages.next()
  nameList(res, dated(ctx, 'prompts-*.txt'))
  res.type('text/plain; charset=utf-8')
  await send(promptEntries(first.done ? [] : first.value, pages), res)
}

async function sendPosts({ ctx, choice, res }: Call): Promise<void> {
  const list = await heavyReads(() => postingList(ctx, choice))
  nameList(res, dated(ctx, 'posting-list-*.csv'))
  res.type('text/csv; charset=utf-8').send(list)
}

async function* promptEntries(
  first: readonly ChosenPrompt[],
  more: AsyncIterable<readonly ChosenPrompt[]>,
) {
  let number = 0
  const entries = (prompts: readonly ChosenPrompt[]) =>
    prompts.map((chosen) => promptEntry(chosen, ++number)).join('')
  yield entries(first)
  for await (const prompts of more) yield entries(prompts)
}
