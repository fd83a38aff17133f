import { parseCronItems, type ParsedCronItem } from 'graphile-worker'
import type { JobName } from '~/platform/queue/catalog'

const EVERY_MINUTE = '* * * * *'
const EVERY_HOUR = '17 * * * *'
const HALF_AN_HOUR_LATER = '47 * * * *'

/**
 * Jobs on a schedule. Their identifiers are fixed, so that several workers add each job only once.
 */
export const cronItems: ParsedCronItem[] = parseCronItems([
  everyMinute('sweep', 'system.sweep'),
  everyMinute('check', 'system.check'),
  everyMinute('rotate', 'prompts.rotate'),
  { ...everyMinute('purge-trash', 'videos.purge-trash'), match: EVERY_HOUR },
  { ...everyMinute('remove-old', 'system.remove-old'), match: HALF_AN_HOUR_LATER },
])

function everyMinute(identifier: string, task: JobName) {
  return { task, match: EVERY_MINUTE, identifier, options: { maxAttempts: 1 } }
}
