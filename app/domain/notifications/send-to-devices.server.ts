import { plural } from '~/lib/figures'
import type { Deps } from '../context'
import type { Outcome, PushTarget, Sending } from './outcome'

/** What a push service answers for a browser that has withdrawn or was removed. */
const GONE_FOR_GOOD: readonly number[] = [404, 410]

/**
 * Sends a message to each browser that has not taken it yet, all at once. One that fails keeps none of the others
 * waiting. It is sent when all of them took it or are gone, if any took it.
 */
export async function sendToDevices(
  { pushes }: Pick<Deps, 'pushes'>,
  { devices, keys }: PushTarget,
  { id, body, told: before }: Sending,
): Promise<Outcome> {
  const told: string[] = []
  const gone: string[] = []
  const failures: { answer: number | null; problem: string }[] = []
  const open = devices.filter((device) => !before.includes(device.id))
  // A second copy replaces the first while it waits at the service, and later on the screen (`tag`).
  const message = { text: body, topic: id.replaceAll('-', ''), keys }
  await Promise.all(
    open.map(async (device) => {
      const pushed = await pushes.send(device, message)
      if ('problem' in pushed) failures.push({ answer: null, problem: pushed.problem })
      else if (pushed.status >= 200 && pushed.status < 300) told.push(device.id)
      else if (GONE_FOR_GOOD.includes(pushed.status)) gone.push(device.id)
      else failures.push({ answer: pushed.status, problem: answerText(pushed) })
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
  const problem = 'No device takes messages any more'
  return { deliveries, isSent: false, answer: null, problem, isFinal: true }
}

const answerText = ({ status, why = '' }: { status: number; why?: string }): string =>
  why === '' ? `It answered ${status}` : `It answered ${status}: ${why}`
