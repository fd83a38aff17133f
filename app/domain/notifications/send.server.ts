import { MailUndelivered } from '~/platform/mail/port'
import { WebhookUndelivered } from '~/platform/webhooks/port'
import type { Deps } from '../context'
import type { Outcome, Sending, Target } from './outcome'
import { sendToDevices } from './send-to-devices.server'

/** The receiver says that it is gone for good. */
export const GONE = 410

/** Sends one message and returns how it went. It may have arrived although it failed. */
export async function sendOne(
  deps: Pick<Deps, 'mail' | 'webhooks' | 'pushes'>,
  target: Target,
  message: Sending,
): Promise<Outcome> {
  const { id, title, body } = message
  try {
    if (target.channel === 'push') return await sendToDevices(deps, target, message)
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
