import { parseCronItems, type ParsedCronItem } from 'graphile-worker'
import type { JobName } from '~/platform/queue/catalog'

const EVERY_MINUTE = '* * * * *'

/** The few jobs that run by the clock; fixed identifiers, so that two workers add each only once. */
export const cronItems: ParsedCronItem[] = parseCronItems([
  everyMinute('sweep', 'system.sweep'),
  everyMinute('check', 'system.check'),
  everyMinute('rotate', 'prompts.rotate'),
])

function everyMinute(identifier: string, task: JobName) {
  return { task, match: EVERY_MINUTE, identifier, options: { maxAttempts: 1 } }
}
