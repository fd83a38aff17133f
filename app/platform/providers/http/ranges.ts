import { minutes } from '~/lib/time'
import type { Whole } from './intake.server'

type Headers = Readonly<Record<string, string>>
type Answer = { status: number; headers: Headers }

/** The bytes a file holds already, and what the host called the content they belong to. */
export type Held = { bytes: number; version: string }

/** What an answer to a request for a clip, or for the rest of one, brings. */
export type Opening =
  /** The clip from its first byte. */
  | ({ brings: 'clip'; version: string | null } & Whole)
  /** What the file lacks. */
  | ({ brings: 'rest' } & Whole)
  /** Nothing: the file has everything already. */
  | ({ brings: 'nothing' } & Whole)
  /** The rest cannot be had: the clip has to be fetched from its start. */
  | { brings: 'no-rest'; words: string }
  | { brings: 'refusal' }

/** Asks for what comes after the bytes that are held, as long as the host still has that version. */
export const rangeHeaders = ({ bytes, version }: Held): Headers => ({
  range: `bytes=${bytes}-`,
  'if-range': version,
})

// 400 comes from hosts that do not know the header, 412 from those that take it for another one.
const NO_REST = new Set([400, 412, 416])

/** Reads status and headers. `held` is what the rest was asked for after; null when all was asked for. */
export function readOpening({ status, headers }: Answer, held: Held | null): Opening {
  if (status === 200) {
    return {
      brings: 'clip',
      version: versionOf(headers),
      total: lengthOf(headers),
      md5: md5Of(headers),
    }
  }
  if (held === null || (status !== 206 && !NO_REST.has(status))) return { brings: 'refusal' }
  if (!isSameVersion(headers, held)) return { brings: 'no-rest', words: 'the clip is another now' }
  const range = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(headers['content-range'] ?? '')
  const total = range === null || range[2] === '*' ? null : Number(range[2])
  // Named for the whole clip, also in the answer that brings a part.
  const whole = { total, md5: md5Of(headers) }
  if (status === 206 && Number(range?.[1]) === held.bytes) return { brings: 'rest', ...whole }
  if (status === 416 && total === held.bytes) return { brings: 'nothing', ...whole }
  return { brings: 'no-rest', words: `the rest was not on offer (status ${status})` }
}

const SAFE_AGE_MS = minutes(1)

/**
 * What to name in `If-Range` to go on with this content: a strong ETag, or a date of change that is
 * old enough that no second change can hide behind it. Null when there is neither.
 */
function versionOf(headers: Headers): string | null {
  if (headers['accept-ranges'] === 'none') return null
  const { etag, date, 'last-modified': modified } = headers
  // A weak tag may stand for other bytes.
  if (etag?.startsWith('"')) return etag
  const age = Date.parse(date ?? '') - Date.parse(modified ?? '')
  return modified !== undefined && age >= SAFE_AGE_MS ? modified : null
}

/** Hosts that do not know `If-Range` send the rest of whatever they have. */
function isSameVersion({ etag, 'last-modified': modified }: Headers, { version }: Held): boolean {
  const named = version.startsWith('"') ? etag : modified
  return named === undefined || named === version
}

function lengthOf(headers: Headers): number | null {
  const length = headers['content-length']
  return length === undefined ? null : Number(length)
}

function md5Of(headers: Headers): string | null {
  return /(?:^|[,\s])md5=([\w+/=]+)/.exec(headers['x-goog-hash'] ?? '')?.[1] ?? null
}
