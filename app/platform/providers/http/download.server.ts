import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '~/lib/error-facts'
import { ProviderError, type FetchInto } from '../port'
import { checkAddress, type AddressPolicy } from './address.server'
import { answerError, wordsOfBody, type Answer, type Reading } from './answers'
import { silenceError } from './ask.server'
import { bytesOf, readBody } from './json-body.server'
import { openSink, type DownloadSink } from './download-sink.server'
import { rangeHeaders, readOpening, type Held, type Opening } from './ranges'
import { redact } from './redact'
import type { OpenAnswer, Silence, Wire } from './wire.server'

export type Download = {
  wire: Wire
  policy: AddressPolicy
  url: string
  /** Sent to this origin only, also after redirects. */
  credential: { origin: string; headers: Readonly<Record<string, string>> } | null
  secrets: readonly string[]
  into: FetchInto
  /** Multiplies the pauses between tries. */
  timeScale: number
  /** Interprets an unsuccessful response. */
  refuse: (answer: Answer) => Reading
}

const TRIES = 3
const WAIT_MS = 1_000
const MOST_HOPS = 5
const NO_CLIP = /^(text|image)\/|[/+](json|xml|xhtml)/

type Pass = { end: 'whole' } | { end: 'broken'; error: ProviderError }

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
      const pass = await takeOnce(job, sink)
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

async function takeOnce(job: Download, sink: DownloadSink): Promise<Pass> {
  const held = heldBy(sink)
  const answer = await openClip(job, { held, signal: sink.signal })
  if (answer.got === 'nothing') {
    return { end: 'broken', error: silenceError({ step: 'fetch', ...job }, answer) }
  }
  try {
    const opening = readOpening(answer, held)
    if (opening.kind === 'refusal') throw await refusal(job, answer)
    if ((opening.kind === 'clip' || opening.kind === 'rest') && isNoClip(answer)) {
      return { end: 'broken', error: await noClip(job, answer) }
    }
    return await takeBody(sink, { opening, answer })
  } catch (error) {
    if (sink.failure() !== null || error instanceof ProviderError) throw error
    return broken(error)
  } finally {
    answer.body.destroy()
  }
}

function heldBy(sink: DownloadSink): Held | null {
  const version = sink.version()
  return version === null ? null : { bytes: sink.bytes(), version }
}

type Coming = { opening: Exclude<Opening, { kind: 'refusal' }>; answer: OpenAnswer }

async function takeBody(sink: DownloadSink, { opening, answer }: Coming): Promise<Pass> {
  if (opening.kind === 'rest-unavailable') {
    await sink.restart(null)
    return broken(opening.words)
  }
  sink.expect(opening)
  if (opening.kind === 'clip') await sink.restart(opening.version)
  if (opening.kind !== 'already-complete') {
    for await (const chunk of answer.body) await sink.take(bytesOf(chunk))
  }
  const missing = await sink.missing()
  return missing === null ? { end: 'whole' } : broken(missing)
}

async function refusal(job: Download, answer: OpenAnswer): Promise<ProviderError> {
  const { status, headers } = answer
  const refused = { status, headers, body: await readBody(answer.body) }
  return answerError({ ...job, step: 'fetch', answer: refused, reading: job.refuse(refused) })
}

const typeOf = ({ headers }: OpenAnswer): string => (headers['content-type'] ?? '').toLowerCase()
const isNoClip = (answer: OpenAnswer): boolean => NO_CLIP.test(typeOf(answer))

/**
 * Returns the error for a response that is not a clip. An HTML page comes from a proxy and may be
 * gone at the next try, so that error is transient. Any other document is a permanent error.
 */
async function noClip({ secrets }: Download, answer: OpenAnswer): Promise<ProviderError> {
  const words = wordsOfBody(await readBody(answer.body))
  const message = redact(`not a clip but ${typeOf(answer)}: ${words}`, secrets)
  const { status } = answer
  if (!typeOf(answer).startsWith('text/html')) return protocolError(message, status)
  return new ProviderError({ kind: 'transient' }, 'accepted', { message, status })
}

type Asked = { held: Held | null; signal: AbortSignal }

/** Requests the clip and follows redirects itself, so that every hop passes the address check. */
async function openClip(job: Download, { held, signal }: Asked): Promise<OpenAnswer | Silence> {
  let next: string | URL = job.url
  for (let hop = 0; hop <= MOST_HOPS; hop += 1) {
    const check = checkAddress(next, job.policy)
    if (!check.ok) throw protocolError(`the clip's address was refused: ${check.reason}`)
    const { url } = check
    const isOwn = job.credential?.origin === url.origin
    const headers = {
      accept: '*/*',
      'accept-encoding': 'identity',
      ...(held === null ? {} : rangeHeaders(held)),
      ...(isOwn ? job.credential?.headers : {}),
    }
    const answer = await job.wire.send({ method: 'GET', url, headers, signal })
    if (answer.got === 'nothing') return answer
    const { location } = answer.headers
    const isMove = answer.status >= 300 && answer.status <= 399 && location !== undefined
    if (answer.status === 401 && !isOwn) throw await linkOver(job, answer)
    if (!isMove) return answer
    answer.body.destroy()
    if (!URL.canParse(location, url)) throw protocolError('it was redirected to no address')
    next = new URL(location, url)
  }
  throw protocolError('it was redirected too often')
}

/**
 * Returns the error for a 401 to a request without our token: the link has expired, not the token.
 */
async function linkOver({ secrets }: Download, answer: OpenAnswer): Promise<ProviderError> {
  const { status } = answer
  const message = redact(wordsOfBody(await readBody(answer.body)), secrets)
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
