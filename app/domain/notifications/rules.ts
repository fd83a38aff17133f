import { hours, minutes, seconds } from '~/lib/time'

export const NOTIFICATION_LIMITS = {
  /** How long the link that confirms an address is valid. */
  linkHours: 24,
  /** Confirmations per day, for a user and for an address. */
  linksPerDay: 3,
  addressCharacters: 200,
  urlCharacters: 500,
  /** Browsers of a user that are told. */
  devices: 10,
  /** Of an address at a push service. */
  endpointCharacters: 1_000,
  /** Messages that the page shows. */
  shown: 20,
  /** How long messages are kept (retention/rules.server.ts). */
  keptDays: 30,
} as const

/** The pauses between the tries of one message to a user: eight tries within about a day. */
const PAUSES_MS = [
  seconds(30),
  minutes(2),
  minutes(10),
  hours(1),
  hours(3),
  hours(8),
  hours(12),
] as const

/** An alarm that is delivered hours late is of little use, and its receiver is the operator's own. */
const LONGEST_OF_ALARM_MS = minutes(10)

/**
 * Returns how long to wait after a number of failed tries, in milliseconds. Null: it is given up, which an
 * alarm is by its age only (`claim`).
 */
export function pauseAfter(tries: number, { isAlarm }: { isAlarm: boolean }): number | null {
  const pause = PAUSES_MS[tries - 1]
  return isAlarm ? Math.min(pause ?? LONGEST_OF_ALARM_MS, LONGEST_OF_ALARM_MS) : (pause ?? null)
}
