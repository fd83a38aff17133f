import { pollAfter } from '../http/pace'
import type { AssetRef, Evidence, Fault, PollResult } from '../port'
import { clipAddressesIn } from './clip-addresses'
import { classOf } from './error-classes'
import { errorIn, jobErrorIn, type SaidError } from './errors'
import { bare, layersOf, textOf, type JsonObject } from './json'
import { orderIdIn } from './order-ids'
import { meaningOf, type Meaning } from './status-words'

/** What an answer says about an order. */
export type Job = {
  id: string | null
  /** The status as the server writes it; null if it writes none. */
  word: string | null
  /** Undefined if the word is unknown, or if there is none and nothing else tells. */
  meaning: Meaning | undefined
  /** From 0 to 1, as the server counts it. */
  progress?: number
  /** Why the order failed, if the answer says so. */
  error: SaidError | null
  /** Where its clips may be; nothing is known of these addresses yet. */
  clips: readonly string[]
  /** The prompt of the order, if the answer repeats it. */
  prompt?: string
}

const STATUS = [
  'status',
  'task_status',
  'taskStatus',
  'state',
  'job_status',
  'video_status',
  'phase',
]
const DONE = ['done', 'finished', 'completed', 'is_done', 'isDone', 'is_finished']
const PROGRESS = ['progress', 'percent', 'percentage', 'progress_percent', 'progressPercent']

/** How a server counts progress: from 0 to 100, or from 0 to 1. */
type ProgressScale = 'percent' | 'share'

/** Reads an answer about an order: status, progress, error and clips, wherever they stand. */
export function readJob(response: unknown, scale: ProgressScale = 'percent'): Job {
  const layers = layersOf(response)
  const said = errorIn(response)
  const word = statusIn(layers)
  const clips = clipAddressesIn(response)
  const progress = progressIn(layers, scale)
  const prompt = layers.map((layer) => layer.prompt).find((text) => typeof text === 'string')
  return {
    id: orderIdIn(response, said !== null),
    word,
    meaning: word === null ? unsaid(layers, { clips, said }) : meaningOf(word),
    error: jobErrorIn(response),
    clips,
    ...(progress === undefined ? {} : { progress }),
    ...(prompt ? { prompt } : {}),
  }
}

/** The innermost status: outside it may be that of the request. A number such as 200 is one, too. */
function statusIn(layers: readonly JsonObject[]): string | null {
  for (const layer of layers) {
    for (const name of STATUS) {
      const value = layer[name]
      const isHttp = typeof value === 'number' && value >= 100 && value < 600
      const text = isHttp || typeof value === 'boolean' ? null : textOf(value)
      if (text !== null) return text
    }
  }
  return null
}

type Rest = { clips: readonly string[]; said: SaidError | null }

/**
 * An order without a status has failed if the answer contains an error. It is finished if the answer
 * says `done`, or names its clip.
 */
function unsaid(layers: readonly JsonObject[], { clips, said }: Rest): Meaning | undefined {
  if (said !== null) return 'failed'
  const flags = layers.flatMap((layer) => DONE.map((name) => layer[name]))
  if (flags.includes(true)) return 'done'
  if (flags.includes(false)) return 'running'
  return clips.length > 0 ? 'done' : undefined
}

function progressIn(layers: readonly JsonObject[], scale: ProgressScale): number | undefined {
  for (const layer of layers) {
    for (const name of PROGRESS) {
      const share = shareOf(layer[name], scale)
      if (share !== undefined) return Math.min(1, Math.max(0, share))
    }
  }
  return undefined
}

function shareOf(value: unknown, scale: ProgressScale): number | undefined {
  const text = textOf(value)
  const parts = text === null ? null : /^(-?\d+(?:\.\d+)?)\s*(%?)$/.exec(text)
  if (parts === null) return undefined
  const number = Number(parts[1])
  if (parts[2] === '%' || number > 1) return number / 100
  // 1 is one percent with those who count to a hundred; a fraction is a share with everybody.
  return scale === 'share' || !Number.isInteger(number) ? number : number / 100
}

/** What an adapter knows of the order, and how it reads failures in its own protocol. */
type JobContext = {
  /** The clips of a finished order. */
  assets: readonly AssetRef[]
  ageMs: number
  timeScale: number
  /** The fault of a failed order, where the protocol has codes of its own; null for others. */
  ownFault?: (error: SaidError) => Fault | null
}

/** Returns the state of an order. An unknown status counts as running, and is reported. */
export function resultOf(job: Job, context: JobContext): PollResult {
  const { meaning, progress } = job
  switch (meaning) {
    case 'done': {
      const [first, ...more] = context.assets
      if (first !== undefined) return { state: 'succeeded', assets: [first, ...more] }
      const evidence = { message: 'the order is finished and names no clip' }
      return { state: 'failed', fault: { kind: 'transient' }, evidence }
    }
    case 'failed':
      return { state: 'failed', fault: faultOf(job, context), evidence: evidenceOf(job) }
    case 'stopped': {
      const [fault, evidence] = [faultOf(job, context), evidenceOf(job)]
      return { state: 'failed', fault, evidence, wasStopped: true }
    }
    case 'queued':
    case 'running':
    case undefined:
      return {
        state: 'pending',
        phase: meaning ?? 'running',
        pollAfterMs: pollAfter(context.ageMs, context.timeScale),
        ...(progress === undefined ? {} : { progress }),
        ...(meaning === undefined ? { strangeWord: job.word ?? 'no status' } : {}),
      }
  }
}

/** Returns the fault of a failed order. What is not explained may not recur with a new order. */
function faultOf({ meaning, word, error }: Job, { ownFault }: JobContext): Fault {
  const own = error === null ? null : (ownFault?.(error) ?? null)
  if (own !== null) return own
  const about = classOf({ ...error, message: `${word ?? ''} ${error?.message ?? ''}` })
  switch (about) {
    case 'moderation':
      return { kind: 'content-blocked', stage: 'output', codes: error?.code ? [error.code] : [] }
    case 'credits':
      return { kind: 'quota-exhausted', scope: 'account' }
    case 'input':
      return isOurs(error) ? { kind: 'invalid-request' } : { kind: 'transient' }
    default:
      return meaning === 'stopped' ? { kind: 'permanent', reason: 'other' } : { kind: 'transient' }
  }
}

/** Only a code says that the order itself was wrong; words such as "invalid" may mean anything. */
const isOurs = (error: SaidError | null): boolean =>
  /invalid(request|prompt|value|parameter|argument|input)/.test(
    bare(error?.code ?? error?.type ?? ''),
  )

function evidenceOf({ word, error }: Job): Evidence {
  const said = error?.message ?? ''
  const message = said === '' ? `the order is ${word ?? 'failed'}` : said
  return error?.code === undefined ? { message } : { message, code: error.code }
}

/**
 * Returns the error of an answer that speaks of no order: it has no status, and no id or another
 * one. Null if it is an answer about the order.
 */
export function refusalIn(response: unknown, { word, id }: Job, orderId: string): SaidError | null {
  if (word !== null || id === orderId) return null
  return errorIn(response)
}
