import { minutes } from '~/lib/time'
import type { Whole } from './download-sink.server'

type Headers = Readonly<Record<string, string>>
type Answer = { status: number; headers: Headers }

/** The number of bytes already in the file, and the host's version identifier for their content. */
export type Held = { bytes: number; version: string }

/** What the response to a request for a clip, or for the rest of one, contains. */
export type Opening =
  /** The clip from its first byte. */
  | ({ kind: 'clip'; version: string | null } & Whole)
  /** The bytes that the file lacks. */
  | ({ kind: 'rest' } & Whole)
  /** No bytes: the file is already complete. */
  | ({ kind: 'already-complete' } & Whole)
  /** The rest is not available: the clip has to be downloaded from its start. */
  | { kind: 'rest-unavailable'; words: string }
  | { kind: 'refusal' }

/**
 * Returns headers that request the bytes after those in the file, if the host still has that
 * version.
 */
export const rangeHeaders = ({ bytes, version }: Held): Headers => ({
  range: `bytes=${bytes}-`,
  'if-range': version,
})

// 400 comes from hosts that do not know `If-Range`, 412 from those that treat it as a precondition.
const REST_UNAVAILABLE = new Set([400, 412, 416])

/** Interprets status and headers. `held` is null if the whole clip was requested, not the rest. */
export function readOpening({ status, headers }: Answer, held: Held | null): Opening {
  if (status === 200) {
    return {
      kind: 'clip',
      version: versionOf(headers),
      total: lengthOf(headers),
      md5: md5Of(headers),
    }
  }
  if (held === null || (status !== 206 && !REST_UNAVAILABLE.has(status))) return { kind: 'refusal' }
  if (!isSameVersion(headers, held)) {
    return { kind: 'rest-unavailable', words: 'the clip has changed' }
  }
  const range = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(headers['content-range'] ?? '')
  const total = range === null || range[2] === '*' ? null : Number(range[2])
  // Size and MD5 sum refer to the whole clip, even in a partial response.
  const whole = { total, md5: md5Of(headers) }
  if (status === 206 && Number(range?.[1]) === held.bytes) return { kind: 'rest', ...whole }
  if (status === 416 && total === held.bytes) return { kind: 'already-complete', ...whole }
  return { kind: 'rest-unavailable', words: `the rest was not on offer (status ${status})` }
}

const SAFE_AGE_MS = minutes(1)

/**
 * Returns the `If-Range` value for resuming this content: a strong ETag, or a `Last-Modified` date
 * old enough that it cannot stand for two changes within one second. Null if there is neither.
 */
function versionOf(headers: Headers): string | null {
  if (headers['accept-ranges'] === 'none') return null
  const { etag, date, 'last-modified': modified } = headers
  // A weak ETag does not guarantee identical bytes.
  if (etag?.startsWith('"')) return etag
  const age = Date.parse(date ?? '') - Date.parse(modified ?? '')
  return modified !== undefined && age >= SAFE_AGE_MS ? modified : null
}

/** Checks the version, because hosts that do not know `If-Range` send the rest of any version. */
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
