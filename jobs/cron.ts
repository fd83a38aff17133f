import { parseCronItems, type ParsedCronItem } from 'graphile-worker'
import type { JobName } from '~/platform/queue/catalog'

const EVERY_MINUTE = '* * * * *'

/** The few jobs that run by the clock; fixed identifiers, so that two workers add each only once. */
export const cronItems: ParsedCronItem[] = parseCronItems([
  {
    task: 'system.sweep' satisfies JobName,
    match: EVERY_MINUTE,
    identifier: 'sweep',
    options: { maxAttempts: 1 },
  },
])
