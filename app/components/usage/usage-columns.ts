import { dayAndMonth, dayInWords } from '~/lib/time'
import { paths } from '~/lib/paths'
import type { Column } from '../charts/types'

type Day = { day: string; charged: number; returned: number }

/** From one label to the next. Narrower steps have no room on a phone. */
const LABEL_EVERY = 7

/** Returns the bars of the days, the last of which is today. */
export const usageColumns = (days: readonly Day[]): Column[] =>
  days.map(({ day, charged, returned }, index) => {
    const ago = days.length - 1 - index
    const isCurrent = ago === 0
    return {
      name: isCurrent ? `Today, ${dayInWords(day)}` : dayInWords(day),
      label: isCurrent ? 'Today' : ago % LABEL_EVERY === 0 ? dayAndMonth(day) : undefined,
      values: [charged, returned],
      isCurrent,
      to: paths.usageOf(day),
    }
  })
