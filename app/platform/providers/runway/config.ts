import type { ServiceConfig } from '../io'

export type RunwayConfig = ServiceConfig & {
  /** The API version, as a date. */
  version: string
  /** Whether clips have sound. Affects the price. */
  audio: boolean
  /** What to do after a lost response: orders cannot be looked up here. */
  ambiguous: 'fail' | 'resubmit'
}
