import { parseCronItems, type ParsedCronItem } from 'graphile-worker'
import type { JobName } from '~/platform/queue/catalog'

const EVERY_MINUTE = '* * * * *'
const EVERY_HOUR = '17 * * * *'

/** The few jobs that run by the clock; fixed identifiers, so that two workers add each only once. */
export const cronItems: ParsedCronItem[] = parseCronItems([
  everyMinute('sweep', 'system.sweep'),
  everyMinute('check', 'system.check'),
  everyMinute('rotate', 'prompts.rotate'),
  { ...everyMinute('purge-trash', 'videos.purge-trash'), match: EVERY_HOUR },
])

function everyMinute(identifier: string, task: JobName) {
  return { task, match: EVERY_MINUTE, identifier, options: { maxAttempts: 1 } }
}
