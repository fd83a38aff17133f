import { MailUndelivered } from '~/platform/mail/port'
import { WebhookUndelivered } from '~/platform/webhooks/port'
import type { Deps } from '../context'
import type { Message } from './messages'

/** Where a message goes. The secret signs what is sent to a web address. */
export type Target =
  { channel: 'email'; address: string } | { channel: 'webhook'; address: string; secret: string }

export type Outcome =
  | { isSent: true; answer: number | null }
  | {
      isSent: false
      answer: number | null
      /** In words for the user, without secrets. */
      problem: string
      /** Whether further tries are of no use. */
      isFinal: boolean
    }

/** The receiver says that it is gone for good. */
export const GONE = 410

/** Sends one message and returns how it went. It may have arrived although it failed. */
export async function sendOne(
  deps: Pick<Deps, 'mail' | 'webhooks'>,
  target: Target,
  { id, title, body }: Message & { id: string },
): Promise<Outcome> {
  try {
    if (target.channel === 'email') {
      await deps.mail.send({ to: target.address, subject: title, text: body, id })
      return { isSent: true, answer: null }
    }
    const { address, secret } = target
    return outcomeOf(await deps.webhooks.post({ id, address, secret, body }))
  } catch (error) {
    if (error instanceof MailUndelivered) return failed(error.message, error.isFinal)
    if (error instanceof WebhookUndelivered) return failed(error.message)
    throw error
  }
}

const failed = (problem: string, isFinal = false): Outcome => ({
  isSent: false,
  answer: null,
  problem,
  isFinal,
})

function outcomeOf(answer: number): Outcome {
  if (answer >= 200 && answer < 300) return { isSent: true, answer }
  const why = answer >= 300 && answer < 400 ? '. Redirects are not followed' : ''
  return { isSent: false, answer, problem: `It answered ${answer}${why}`, isFinal: answer === GONE }
}
