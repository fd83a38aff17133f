import type { PushDevice, PushKeys } from '~/platform/push/port'
import type { Posted, WebhookSender } from '~/platform/webhooks/port'
import type { Message } from './messages'

/** Where a message goes. */
export type Target =
  | { channel: 'email' | 'telegram'; address: string }
  /** `by` knows which hosts may be private. Without a secret to sign with nothing is sent. */
  | { channel: 'webhook'; address: string; secret: string | null; by: WebhookSender }
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

/** The receiver says that it is gone for good. */
export const GONE = 410

export const failed = (problem: string, isFinal = false): Outcome => ({
  isSent: false,
  answer: null,
  problem,
  isFinal,
})

/** Returns how a call went. */
export function outcomeOf(posted: Posted): Outcome {
  if ('problem' in posted) return failed(posted.problem)
  const { status: answer, why = '' } = posted
  if (answer >= 200 && answer < 300) return { isSent: true, answer }
  const isRedirect = answer >= 300 && answer < 400
  const more = isRedirect ? '. Redirects are not followed' : why === '' ? '' : `: ${why}`
  return {
    isSent: false,
    answer,
    problem: `It answered ${answer}${more}`,
    isFinal: answer === GONE,
  }
}
