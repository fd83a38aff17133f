import type {
  Overview,
  OverviewDay,
  OverviewHour,
} from '~/domain/administration/overview/overview.server'
import type { Sales, SalesWeek } from '~/domain/administration/overview/sales.server'
import { PLAN_NAMES } from '~/domain/plans/types'
import { figure } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { dayAndMonth, dayIn, dayInWords, timeOfDay } from '~/lib/time'
import type { Column } from '../charts/types'

/** From one label to the next. Narrower steps have no room on a phone. */
const HOURS_APART = 8
const DAYS_APART = 7
const WEEKS_APART = 2

/** Returns a bar for each hour, the last of which is the present one, without their values. */
const hourColumn = (from: string, ago: number, timeZone: string): Omit<Column, 'values'> => {
  const time = timeOfDay(from, timeZone)
  const day = dayIn(timeZone, new Date(from))
  const isCurrent = ago === 0
  return {
    name: isCurrent ? `From ${time}, now` : `From ${time} on ${dayAndMonth(day)}`,
    label: isCurrent ? 'Now' : ago % HOURS_APART === 0 ? time : undefined,
    isCurrent,
  }
}

/** Returns the bars of the last hours with the values that `valuesOf` picks. */
const hourColumns = (
  hours: readonly OverviewHour[],
  timeZone: string,
  valuesOf: (hour: OverviewHour) => Pick<Column, 'values' | 'shown' | 'to'>,
): Column[] =>
  hours.map((hour, index) => ({
    ...hourColumn(hour.from, hours.length - 1 - index, timeZone),
    ...valuesOf(hour),
  }))

/** Returns the bars of the last days, today last. */
const dayColumns = (
  days: readonly OverviewDay[],
  valuesOf: (day: OverviewDay) => Pick<Column, 'values' | 'shown' | 'to'>,
): Column[] =>
  days.map((day, index) => {
    const ago = days.length - 1 - index
    const isCurrent = ago === 0
    return {
      name: isCurrent ? `Today, ${dayInWords(day.day)}` : dayInWords(day.day),
      label: isCurrent ? 'Today' : ago % DAYS_APART === 0 ? dayAndMonth(day.day) : undefined,
      isCurrent,
      ...valuesOf(day),
    }
  })

/** Returns the bars of the last weeks, the present one last. */
const weekColumns = (
  weeks: readonly SalesWeek[],
  valuesOf: (week: SalesWeek) => Pick<Column, 'values' | 'shown' | 'to'>,
): Column[] =>
  weeks.map((week, index) => {
    const ago = weeks.length - 1 - index
    const isCurrent = ago === 0
    const name = `Week from ${dayInWords(week.monday)}`
    return {
      name: isCurrent ? `${name}, now` : name,
      label: isCurrent ? 'Now' : ago % WEEKS_APART === 0 ? dayAndMonth(week.monday) : undefined,
      isCurrent,
      ...valuesOf(week),
    }
  })

/** Returns the bars of each plan's sales: of those plans that were sold in these weeks. */
export const salesColumns = ({ weeks }: Sales): { plan: string; columns: Column[] }[] =>
  PLAN_NAMES.filter((plan) =>
    weeks.some(({ plans }) => plans.some((one) => one.plan === plan)),
  ).map((plan) => ({
    plan,
    columns: weekColumns(weeks, ({ monday, plans }) => {
      const { sales = 0, renewals = 0 } = plans.find((one) => one.plan === plan) ?? {}
      return {
        values: [sales, renewals],
        to: `${paths.admin.payments}?month=${monday.slice(0, 7)}&plan=${plan}`,
      }
    }),
  }))

/** Returns the bars of costs and margins. Where more was paid than received, there is no margin to draw. */
export const marginColumns = ({ weeks }: Sales): Column[] =>
  weekColumns(weeks, ({ income, cost }) => ({
    values: [cost, Math.max(0, income - cost)],
    shown: [cost, income - cost].map((amount) => figure(amount.toFixed(2))),
  }))

/** Leads to the videos of a day: to the failed ones, if there are any. */
const videosOfDay = (day: string, { failed }: { failed: number }): string =>
  paths.admin.videosIn(failed > 0 ? 'error' : 'completed', day)

/** Returns the bars of deliveries and failures by the hour. */
const outcomeColumns = (hours: readonly OverviewHour[], timeZone: string): Column[] =>
  hourColumns(hours, timeZone, ({ from, delivered, failed }) => ({
    values: [delivered, failed],
    to: videosOfDay(dayIn(timeZone, new Date(from)), { failed }),
  }))

/** Returns the bars of the overview's charts. Those of the costs are null if no token has a cost. */
export function overviewColumns({ hours, days, times }: Overview, timeZone: string) {
  const lastDay = hours.slice(-24)
  return {
    hours: outcomeColumns(hours, timeZone),
    days: dayColumns(days, (day) => ({
      values: [day.delivered, day.failed],
      to: videosOfDay(day.day, day),
    })),
    times: hourColumns(lastDay, timeZone, ({ from }) => {
      const { median = 0, p95 = 0 } = times[from] ?? {}
      return { values: [median, p95 - median], shown: [median, p95].map(secondsText) }
    }),
    line: hourColumns(lastDay, timeZone, ({ waiting, held }) => ({
      values: [Math.max(0, waiting - held), held],
    })),
    online: hourColumns(lastDay, timeZone, ({ online }) => ({ values: [online] })),
    units: dayColumns(days, ({ day, units, sold }) => ({
      values: [units, Math.max(0, sold - units)],
      shown: [figure(units), sold === 0 ? '–' : figure(sold)],
      to: paths.admin.videosIn('completed', day),
    })),
    costs: days.some(({ cost }) => cost > 0) ? costColumns(days) : null,
  }
}

const costColumns = (days: readonly OverviewDay[]): Column[] =>
  dayColumns(days, ({ cost }) => ({ values: [cost], shown: [figure(cost.toFixed(2))] }))

/** Times are known to a fifth; more digits would pretend. */
const secondsText = (seconds: number): string =>
  seconds === 0 ? '–' : seconds < 10 ? figure(seconds.toFixed(1)) : figure(Math.round(seconds))
