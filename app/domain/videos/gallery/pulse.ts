import type { Hold } from '../holds'

/** How far a video is that a provider is making. */
export type Making = {
  id: string
  /** Null where the provider does not tell. */
  percent: number | null
  /** Since the order was sent. */
  seconds: number
}

/**
 * Whether a page that follows work is up to date, in a few bytes: the gallery's version, and what no
 * version tells because no video changes by it.
 */
export type Pulse = { version: number; holds: Hold[]; making: Making[] }

/** What every page with the reader's own videos shows of work, as of one moment. */
export type UnderWay = Omit<Pulse, 'version'> & {
  /** The server's clock. */
  now: string
  /** How long one video takes lately, in milliseconds. */
  usualMs: number
}

/** Answers to the calls that are asked every few seconds carry the caller's pulse here, as JSON. */
export const PULSE_HEADER = 'X-Pulse'

/** The pulse that an answer carries, or null for an answer that is none of these calls'. */
export function readPulse(headers: Headers): Pulse | null {
  const value: unknown = JSON.parse(headers.get(PULSE_HEADER) ?? 'null')
  return isPulse(value) ? value : null
}

const isPulse = (value: unknown): value is Pulse =>
  typeof value === 'object' && value !== null && 'version' in value && 'making' in value
