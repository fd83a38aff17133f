import { watchAlarms } from '~/domain/alarms/watch.server'
import { hasWorker } from '~/domain/health/status.server'
import { sendAlarms } from '~/domain/notifications/send-notification.server'
import type { Boot } from '~/boot/deps.server'
import { seconds } from '~/lib/time'

const LOOK_EVERY_MS = seconds(20)

/**
 * Does the worker's part for alarms while no worker is running, so that somebody is told of that. Until
 * the process stops.
 */
export function watchForWorker({ deps, log, stopping }: Boot): void {
  const look = async () => {
    try {
      if (await hasWorker(deps)) return
      await watchAlarms(deps)
      await sendAlarms(deps)
    } catch (error) {
      log.warn({ err: error }, 'the alarms could not be looked at')
    }
  }
  let looking: Promise<void> | undefined
  const timer = setInterval(() => {
    looking ??= look().finally(() => (looking = undefined))
  }, LOOK_EVERY_MS)
  timer.unref()
  stopping.signal.addEventListener('abort', () => clearInterval(timer))
}
