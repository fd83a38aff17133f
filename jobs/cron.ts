import { parseCronItems, type ParsedCronItem } from 'graphile-worker'
import type { JobName } from '~/platform/queue/catalog'

const EVERY_MINUTE = '* * * * *'
const EVERY_HOUR = '17 * * * *'
const HALF_AN_HOUR_LATER = '47 * * * *'

/**
 * Jobs on a schedule. Their identifiers are fixed, so that several workers add each job only once.
 */
export const cronItems: ParsedCronItem[] = parseCronItems([
  scheduled('sweep', 'system.sweep'),
  scheduled('check', 'system.check'),
  scheduled('alarms', 'alarms.watch'),
  scheduled('rotate', 'prompts.rotate'),
  scheduled('purge-trash', 'videos.purge-trash', EVERY_HOUR),
  scheduled('remove-old', 'system.remove-old', HALF_AN_HOUR_LATER),
])

function scheduled(identifier: string, task: JobName, match = EVERY_MINUTE) {
  return { task, match, identifier, options: { maxAttempts: 1 } }
}
