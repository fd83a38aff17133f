import type { Hold } from '../holds'

/** Progress of a video that a provider is making. */
export type GenerationProgress = {
  id: string
  /** Null if the provider does not report progress. */
  percent: number | null
  /** Seconds since the order was sent. */
  seconds: number
  /** Whether there is a picture of what has been made so far. */
  hasStill: boolean
  /**
   * Until when an order without a response is looked up; null unless it is. It is then settled, at
   * the latest.
   */
  checkedUntil: string | null
}

/**
 * A few bytes by which a page checks whether it is up to date: the gallery's version, and the holds
 * and progress, which do not change a video and therefore do not change the version.
 */
export type Pulse = { version: number; holds: Hold[]; making: GenerationProgress[] }

/** Work in progress at one moment, shown on every page with the user's own videos. */
export type UnderWay = Omit<Pulse, 'version'> & {
  /** The server's clock. */
  now: string
  /** How long one video has taken recently, in milliseconds. */
  usualMs: number
}

/** Response header of the polled calls with the caller's pulse as JSON. */
export const PULSE_HEADER = 'X-Pulse'

/** Returns the pulse of a response, or null if the response has none. */
export function readPulse(headers: Headers): Pulse | null {
  const value: unknown = JSON.parse(headers.get(PULSE_HEADER) ?? 'null')
  return isPulse(value) ? value : null
}

const isPulse = (value: unknown): value is Pulse =>
  typeof value === 'object' && value !== null && 'version' in value && 'making' in value
