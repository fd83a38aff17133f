import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '~/lib/error-facts'
import { clipAddressesIn } from '../reading/clip-addresses'
import { classOf } from '../reading/error-classes'
import { errorIn } from '../reading/errors'
import { lookOf } from '../reading/first-bytes'
import { readJob } from '../reading/jobs'
import { ProviderError, type FetchInto, type Fault } from '../port'
import { checkAddress, type AddressPolicy } from './address.server'
import { responseError, wordsOfBody, type HttpResponse, type Body, type Reading } from './responses'
import { silenceError } from './ask.server'
import { readBody } from './json-body.server'
import { openSink, type DownloadSink } from './download-sink.server'
import { peek, type Peeked } from './peek'
import { rangeHeaders, readOpening, type Held, type Opening } from './ranges'
import { redact } from './redact'
import type { OpenResponse, Silence, Wire } from './wire.server'

/** Where a clip is, and how it is asked for. */
export type ClipSource = {
  wire: Wire
  policy: AddressPolicy
  url: string
  /** Sent to this origin only, also after redirects. */
  credential: { origin: string; headers: Readonly<Record<string, string>> } | null
  secrets: readonly string[]
  /** Interprets an unsuccessful response. */
  refuse: (response: HttpResponse) => Reading
}

export type Download = ClipSource & {
  into: FetchInto
  /** Multiplies the pauses between tries. */
  timeScale: number
}

const TRIES = 3
const WAIT_MS = 1_000
const MOST_HOPS = 5
const NO_CLIP = /^(text|image)\/|[/+](json|xml|xhtml)/

type Pass =
  | { end: 'whole' }
  | { end: 'broken'; error: ProviderError }
  /** The response names the clip's address in place of the clip. */
  | { end: 'elsewhere'; url: string }

/**
 * Downloads a clip into the file. It resumes after the bytes already in the file, from this call or
 * an earlier one, if the host still has that version and supports ranges. Otherwise it empties the
 * file and starts from the beginning. If the download breaks, the received bytes stay in the file.
 * Lengths and MD5 sums are checked if the host sends them. Throws ProviderError, or the file's own
 * error unchanged.
 */
export async function download(job: Download): Promise<{ bytes: number }> {
  const sink = openSink(job.into)
  try {
    for (let tries = 1; ; tries += 1) {
      const pass = await takeClip(job, sink)
      if (pass.end === 'whole') return { bytes: sink.bytes() }
      // Retry here only if nothing would be downloaded twice. A restart waits for the caller's
      // longer pauses.
      const isCheap = sink.bytes() === 0 || sink.version() !== null
      if (tries === TRIES || !isCheap) throw pass.error
      await sleep(WAIT_MS * tries * job.timeScale, undefined, { signal: sink.signal })
    }
  } catch (error) {
    throw sink.failure() ?? asProviderError(error)
  } finally {
    sink.close()
  }
}

async function takeClip(job: Download, sink: DownloadSink): Promise<Exclude<Pass, Elsewhere>> {
  const pass = await takeOnce(job, sink)
  if (pass.end !== 'elsewhere') return pass
  const next = await takeOnce({ ...job, url: pass.url }, sink)
  if (next.end !== 'elsewhere') return next
  return { end: 'broken', error: protocolError('it was sent on too often') }
}

type Elsewhere = Extract<Pass, { end: 'elsewhere' }>

async function takeOnce(job: Download, sink: DownloadSink): Promise<Pass> {
  const held = heldBy(sink)
  const response = await openClip(job, { held, signal: sink.signal })
  if (response.got === 'nothing') {
    return { end: 'broken', error: silenceError({ step: 'fetch', ...job }, response) }
  }
  try {
    const opening = readOpening(response, held)
    if (opening.kind === 'refusal') throw await refusal(job, response)
    const peeked = await peek(response.body)
    if (opening.kind === 'clip' && !isClip(response, peeked))
      return await noClip(job, response, peeked)
    return await takeBody(sink, opening, peeked)
  } catch (error) {
    if (sink.failure() !== null || error instanceof ProviderError) throw error
    return broken(error)
  } finally {
    response.body.destroy()
  }
}

/**
 * Returns whether a clip is at an address by now, from its first bytes. An order whose state cannot
 * be read may be finished. Never throws: whatever is not a clip counts as none.
 */
export async function isClipThere(source: ClipSource, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await openClip(source, { held: null, signal })
    if (response.got === 'nothing') return false
    try {
      return response.status === 200 && lookOf((await peek(response.body)).first) === 'mp4'
    } finally {
      response.body.destroy()
    }
  } catch {
    return false
  }
}

function heldBy(sink: DownloadSink): Held | null {
  const version = sink.version()
  return version === null ? null : { bytes: sink.bytes(), version }
}

type Coming = Exclude<Opening, { kind: 'refusal' }>

async function takeBody(sink: DownloadSink, opening: Coming, { all }: Peeked): Promise<Pass> {
  if (opening.kind === 'rest-unavailable') {
    await sink.restart(null)
    return broken(opening.words)
  }
  sink.expect(opening)
  if (opening.kind === 'clip') await sink.restart(opening.version)
  if (opening.kind !== 'already-complete') {
    for await (const piece of all) await sink.take(piece)
  }
  const missing = await sink.missing()
  return missing === null ? { end: 'whole' } : broken(missing)
}

async function refusal(job: Download, response: OpenResponse): Promise<ProviderError> {
  const { status, headers } = response
  const refused = { status, headers, body: await readBody(response.body) }
  return responseError({ ...job, step: 'fetch', response: refused, reading: job.refuse(refused) })
}

const typeOf = ({ headers }: OpenResponse): string => (headers['content-type'] ?? '').toLowerCase()

/**
 * Judges by the bytes: an MP4 is a clip whatever its label, and text is none. Only for what is
 * neither does the label decide; the file is inspected later.
 */
function isClip(response: OpenResponse, { first }: Peeked): boolean {
  const look = lookOf(first)
  return (
    look === 'mp4' || (look === 'binary' && (first.length === 0 || !NO_CLIP.test(typeOf(response))))
  )
}

/** Reads a response that claims success and is not a clip: where the clip is, or why there is none. */
async function noClip(job: Download, response: OpenResponse, { all }: Peeked): Promise<Pass> {
  const body = await readBody(all)
  const [address] = body.is === 'json' ? clipAddressesIn(body.value) : []
  if (address !== undefined && URL.canParse(address, job.url)) {
    return { end: 'elsewhere', url: new URL(address, job.url).href }
  }
  const { status } = response
  const message = redact(`not a clip but ${typeOf(response)}: ${wordsOfBody(body)}`, job.secrets)
  const error = new ProviderError(faultOf(body, typeOf(response)), 'accepted', { message, status })
  return { end: 'broken', error }
}

/**
 * Returns the fault of a document in place of a clip, by what it says. A page of a proxy may be gone
 * at the next try.
 */
function faultOf(body: Body, type: string): Fault {
  const words = wordsOfBody(body)
  const isPage = /^\s*<(!doctype html|html)/i.test(words) || type.startsWith('text/html')
  if (isPage && body.is !== 'json') return { kind: 'transient' }
  const value = body.is === 'json' ? body.value : null
  const { meaning } = readJob(value)
  const said = errorIn(value) ?? { message: words }
  const about = classOf(said)
  if (meaning === 'queued' || meaning === 'running') return { kind: 'transient' }
  if (about === 'gone' || about === 'missing') return { kind: 'permanent', reason: 'asset-gone' }
  const mayPass = about !== null && ['not-ready', 'rate', 'busy', 'broken'].includes(about)
  return mayPass ? { kind: 'transient' } : { kind: 'permanent', reason: 'protocol' }
}

type Asked = { held: Held | null; signal: AbortSignal }

/** Requests the clip and follows redirects itself, so that every hop passes the address check. */
async function openClip(job: ClipSource, { held, signal }: Asked): Promise<OpenResponse | Silence> {
  let next: string | URL = job.url
  for (let hop = 0; hop <= MOST_HOPS; hop += 1) {
    const check = checkAddress(next, job.policy)
    if (!check.ok) throw protocolError(`the clip's address was refused: ${check.reason}`)
    const { url } = check
    const isOwn = job.credential?.origin === url.origin
    const headers = {
      accept: '*/*',
      ...(held === null ? {} : rangeHeaders(held)),
      ...(isOwn ? job.credential?.headers : {}),
    }
    const response = await job.wire.send({ method: 'GET', url, headers, signal })
    if (response.got === 'nothing') return response
    const { location } = response.headers
    const isMove = response.status >= 300 && response.status <= 399 && location !== undefined
    if (response.status === 401 && !isOwn) throw await linkOver(job, response)
    if (!isMove) return response
    response.body.destroy()
    if (!URL.canParse(location, url)) throw protocolError('it was redirected to no address')
    next = new URL(location, url)
  }
  throw protocolError('it was redirected too often')
}

/**
 * Returns the error for a 401 to a request without our token: the link has expired, not the token.
 */
async function linkOver({ secrets }: ClipSource, response: OpenResponse): Promise<ProviderError> {
  const { status } = response
  const message = redact(wordsOfBody(await readBody(response.body)), secrets)
  const fault = { kind: 'permanent', reason: 'asset-gone' } as const
  return new ProviderError(fault, 'accepted', { message, status })
}

/** Returns a permanent error for an address or response that a retry would not change. */
function protocolError(message: string, status?: number): ProviderError {
  const evidence = status === undefined ? { message } : { message, status }
  return new ProviderError({ kind: 'permanent', reason: 'protocol' }, 'accepted', evidence)
}

const broken = (cause: unknown): Pass => ({ end: 'broken', error: brokenError(cause) })

function brokenError(cause: unknown): ProviderError {
  const message = redact(`the download broke off: ${messageOf(cause)}`, [])
  return new ProviderError({ kind: 'transient' }, 'accepted', { message })
}

function asProviderError(error: unknown): ProviderError {
  return error instanceof ProviderError ? error : brokenError(error)
}
