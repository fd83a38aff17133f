import type { PushDevice, PushKeys } from '~/platform/push/port'
import type { Message } from './messages'

/** Where a message goes. The secret signs what is sent to a web address. */
export type Target =
  | { channel: 'email'; address: string }
  | { channel: 'webhook'; address: string; secret: string }
  | PushTarget

export type PushTarget = {
  channel: 'push'
  devices: readonly (PushDevice & { id: string })[]
  keys: PushKeys
}

/** How a message went at each browser, by their ids: those that took it, and those that are gone for good. */
export type Deliveries = { told: readonly string[]; gone: readonly string[] }

export type Outcome = { deliveries?: Deliveries } & (
  | { isSent: true; answer: number | null }
  | {
      isSent: false
      answer: number | null
      /** In words for the user, without secrets. */
      problem: string
      /** Whether further tries are of no use. */
      isFinal: boolean
    }
)

/** A message. `told`: browsers that took it in an earlier try. */
export type Sending = Message & { id: string; told: readonly string[] }
