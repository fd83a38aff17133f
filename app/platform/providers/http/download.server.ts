import { setTimeout as sleep } from 'node:timers/promises'
import { ProviderError, type FetchInto } from '../port'
import { checkAddress, type AddressPolicy } from './address.server'
import { answerError, wordsOfBody, type Answer, type Reading } from './answers'
import { silenceError } from './ask.server'
import { bytesOf, readBody } from './json-body.server'
import { redact } from './redact'
import { openIntake, type Intake } from './intake.server'
import type { OpenAnswer, Silence, Wire } from './wire.server'

export type Download = {
  wire: Wire
  policy: AddressPolicy
  url: string
  /** Goes to this origin and to no other, whatever redirects say. */
  credential: { origin: string; headers: Readonly<Record<string, string>> } | null
  secrets: readonly string[]
  into: FetchInto
  /** Waits between two tries are multiplied by this. */
  timeScale: number
  /** What an answer other than success means. */
  refuse: (answer: Answer) => Reading
}

const TRIES = 3
const WAIT_MS = 1_000
const MOST_HOPS = 5
const NO_CLIP = /^(text|image)\/|[/+](json|xml|xhtml)/

type Pass = { end: 'whole' } | { end: 'broken' | 'wrong-type'; error: ProviderError }

/**
 * Streams a clip into the sink and ends it. A download that breaks off goes on where it stopped when
 * the server can do that; else the caller starts again. Lengths and MD5 sums are checked where the
 * server names them. Throws ProviderError, or the sink's own error when it is the sink that failed.
 */
export async function download(job: Download): Promise<{ bytes: number }> {
  const intake = openIntake(job.into)
  try {
    for (let tries = 1; ; tries += 1) {
      const pass = await takeOnce(job, intake)
      if (pass.end === 'whole') return { bytes: await intake.finish() }
      if (tries === TRIES || !mayGoOn(pass, intake)) throw pass.error
      await sleep(WAIT_MS * tries * job.timeScale, undefined, { signal: intake.signal })
    }
  } catch (error) {
    throw intake.failure() ?? asProviderError(error)
  } finally {
    intake.close()
  }
}

function mayGoOn(pass: Pass, { bytes, resume }: Intake): boolean {
  return bytes() === 0 || (pass.end === 'broken' && resume() !== null)
}

async function takeOnce(job: Download, intake: Intake): Promise<Pass> {
  const answer = await openClip(job, intake)
  if (answer.got === 'nothing') {
    return { end: 'broken', error: silenceError({ step: 'fetch', ...job }, answer) }
  }
  const isRest = intake.bytes() > 0
  if (answer.status !== (isRest ? 206 : 200)) throw await refusal(job, { answer, isRest })
  const type = answer.headers['content-type'] ?? ''
  if (NO_CLIP.test(type.toLowerCase()))
    return { end: 'wrong-type', error: await noClip(job, answer) }
  try {
    intake.begin(answer)
    for await (const chunk of answer.body) await intake.take(bytesOf(chunk))
  } catch (error) {
    answer.body.destroy()
    if (intake.failure() !== null || error instanceof ProviderError) throw error
    return { end: 'broken', error: brokenError(error) }
  }
  const missing = intake.missing()
  return missing === null ? { end: 'whole' } : { end: 'broken', error: brokenError(missing) }
}

type Refused = { answer: OpenAnswer; isRest: boolean }

async function refusal(job: Download, { answer, isRest }: Refused): Promise<ProviderError> {
  const { status, headers } = answer
  const refused = { status, headers, body: await readBody(answer.body) }
  // Whatever it is, a start from the beginning will tell.
  if (isRest) return brokenError(`the rest was not on offer (status ${status})`)
  const { secrets, refuse } = job
  return answerError({ step: 'fetch', answer: refused, reading: refuse(refused), secrets })
}

async function noClip({ secrets }: Download, answer: OpenAnswer): Promise<ProviderError> {
  const words = wordsOfBody(await readBody(answer.body))
  const message = `not a clip but ${answer.headers['content-type'] ?? ''}: ${words}`
  return protocolError(redact(message, secrets), answer.status)
}

/** Opens the clip's address, following redirects by hand: each hop is checked like the first. */
async function openClip(job: Download, intake: Intake): Promise<OpenAnswer | Silence> {
  let next: string | URL = job.url
  for (let hop = 0; hop <= MOST_HOPS; hop += 1) {
    const check = checkAddress(next, job.policy)
    if (!check.ok) throw protocolError(`the clip's address was refused: ${check.reason}`)
    const { url } = check
    const isOwn = job.credential?.origin === url.origin
    const headers = {
      accept: '*/*',
      'accept-encoding': 'identity',
      ...intake.resume(),
      ...(isOwn ? job.credential?.headers : {}),
    }
    const answer = await job.wire.send({ method: 'GET', url, headers, signal: intake.signal })
    if (answer.got === 'nothing') return answer
    const { location } = answer.headers
    if (answer.status < 300 || answer.status > 399 || location === undefined) return answer
    answer.body.destroy()
    if (!URL.canParse(location, url)) throw protocolError('it was redirected to no address')
    next = new URL(location, url)
  }
  throw protocolError('it was redirected too often')
}

/** The address or the answer makes no sense; asking again brings the same. */
function protocolError(message: string, status?: number): ProviderError {
  const evidence = status === undefined ? { message } : { message, status }
  return new ProviderError({ kind: 'permanent', reason: 'protocol' }, 'accepted', evidence)
}

function brokenError(cause: unknown): ProviderError {
  const words = cause instanceof Error ? cause.message : String(cause)
  const message = redact(`the download broke off: ${words}`, [])
  return new ProviderError({ kind: 'transient' }, 'accepted', { message })
}

function asProviderError(error: unknown): ProviderError {
  return error instanceof ProviderError ? error : brokenError(error)
}
