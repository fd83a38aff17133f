import type { ServiceConfig } from '../io'

export type RunwayConfig = ServiceConfig & {
  /** The revision of the service that is spoken, as a date. */
  version: string
  /** Decides the price. */
  audio: boolean
  /** What to do after a lost answer; orders cannot be looked for here. */
  ambiguous: 'fail' | 'resubmit'
  expectedMs: number
}
