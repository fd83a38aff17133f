import { plural } from '~/lib/figures'
import { MailUndelivered } from '~/platform/mail/port'
import type { Deps } from '../context'
import { failed, outcomeOf } from './outcome'
import type { Outcome, PushTarget, Sending, Target } from './outcome'

type Senders = Pick<Deps, 'mail' | 'pushes' | 'telegram'>

/** Sends one message and returns how it went. It may have arrived although it failed. */
export async function sendOne(deps: Senders, target: Target, message: Sending): Promise<Outcome> {
  const { id, body } = message
  switch (target.channel) {
    case 'push':
      return sendToDevices(deps, target, message)
    case 'email':
      return sendMail(deps, target.address, message)
    case 'telegram':
      return outcomeOf(await deps.telegram.send(target.address, body))
    case 'webhook': {
      const { address, secret, by } = target
      if (secret === null) return failed('Its secret is not set')
      return outcomeOf(await by.post({ id, address, secret, body }))
    }
  }
}

async function sendMail(
  { mail }: Pick<Deps, 'mail'>,
  to: string,
  { id, title, body }: Sending,
): Promise<Outcome> {
  try {
    await mail.send({ to, subject: title, text: body, id })
    return { isSent: true, answer: null }
  } catch (error) {
    if (error instanceof MailUndelivered) return failed(error.message, error.isFinal)
    throw error
  }
}

/** What a push service answers for a browser that has withdrawn or was removed. */
const GONE_FOR_GOOD: readonly (number | null)[] = [404, 410]

/**
 * Sends a message to each browser that has not taken it yet, all at once. One that fails keeps none of the others
 * waiting. It is sent when all of them took it or are gone, if any took it.
 */
async function sendToDevices(
  { pushes }: Pick<Deps, 'pushes'>,
  { devices, keys }: PushTarget,
  { id, body, told: before }: Sending,
): Promise<Outcome> {
  const told: string[] = []
  const gone: string[] = []
  const failures: Extract<Outcome, { isSent: false }>[] = []
  const open = devices.filter((device) => !before.includes(device.id))
  // A second copy replaces the first while it waits at the service, and later on the screen (`tag`).
  const message = { text: body, topic: id.replaceAll('-', ''), keys }
  await Promise.all(
    open.map(async (device) => {
      const outcome = outcomeOf(await pushes.send(device, message))
      if (outcome.isSent) told.push(device.id)
      else if (GONE_FOR_GOOD.includes(outcome.answer)) gone.push(device.id)
      else failures.push(outcome)
    }),
  )
  const deliveries = { told, gone }
  const [first] = failures
  if (first) {
    const { answer, problem } = first
    const count = before.length + told.length
    const words = count === 0 ? problem : `${problem} (${plural(count, 'device')} told)`
    return { deliveries, isSent: false, answer, problem: words, isFinal: false }
  }
  if (before.length + told.length > 0) return { deliveries, isSent: true, answer: null }
  return { deliveries, ...failed('No device takes messages any more', true) }
}
