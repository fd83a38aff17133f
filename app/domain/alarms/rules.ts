import { hours, minutes } from '~/lib/time'
import type { AlarmName, AlarmSettings } from '../business/types'
import type { Finding, SystemFacts } from '../health/types'

/** An alarm that lasts, or the last time it did. */
export type AlarmRow = {
  startedAt: Date
  /** Null: it lasts. */
  endedAt: Date | null
  /** When it was last told that it lasts. */
  toldAt: Date | null
  /** Whether its end is to be told. */
  isOwed: boolean
}

type Seen = {
  /** Whether it lasts now. */
  isOn: boolean
  now: Date
  /** Whether it may not be told now. What is not told then is told afterwards, if it still matters. */
  isQuiet: boolean
  /** How long it lasts before it is told. */
  afterMs: number
}

export type Step = {
  row: AlarmRow
  tell: 'begins' | 'lasts' | 'solved' | null
  /** How long it has lasted. */
  forMs: number
}

/** At most one message in this time says that an alarm lasts. */
const REPEAT_MS = hours(1)
/** One that begins again sooner after its end comes and goes; after a longer calm it is a new one. */
const CALM_MS = minutes(15)

/**
 * Returns what becomes of an alarm and what is told of it, or null if there is nothing. One that begins
 * anew, after a calm of a quarter of an hour, is told at once, however lately the last one was. One that
 * comes and goes is told once an hour: its next beginnings within the hour are silent, and so are their
 * ends.
 */
export function nextStep(row: AlarmRow | null, { isOn, now, isQuiet, afterMs }: Seen): Step | null {
  if (!row && !isOn) return null
  const begins = !row || (row.endedAt !== null && isOn)
  const isOwed = row?.isOwed ?? false
  const isNew = begins && now.getTime() - (row?.endedAt ?? now).getTime() >= CALM_MS
  const toldAt = isNew ? null : (row?.toldAt ?? null)
  const startedAt = begins ? now : row.startedAt
  const endedAt = isOn ? null : (row?.endedAt ?? now)
  const next: AlarmRow = { startedAt, endedAt, toldAt, isOwed }
  const forMs = (endedAt ?? now).getTime() - startedAt.getTime()
  const nothing = { row: next, tell: null, forMs }
  if (isQuiet) return nothing
  if (!isOn) return isOwed ? { row: { ...next, isOwed: false }, tell: 'solved', forMs } : nothing
  const isToldLately = toldAt !== null && now.getTime() - toldAt.getTime() < REPEAT_MS
  if (forMs < afterMs || isToldLately) return nothing
  const told = { ...next, toldAt: now, isOwed: true }
  return { row: told, tell: isOwed && toldAt !== null ? 'lasts' : 'begins', forMs }
}

/**
 * Returns whether a time of day, as HH:MM, lies in the quiet hours, which may span midnight. Both ends
 * equal: there are none.
 */
export function isQuietAt(
  time: string,
  { quietFrom: from, quietUntil: until }: Pick<AlarmSettings, 'quietFrom' | 'quietUntil'>,
): boolean {
  if (from === null || until === null) return false
  return from <= until ? time >= from && time < until : time >= from || time < until
}

type Lasting = {
  title: string
  /** Told where the Settings page has this one ticked, if it has no tick of its own. */
  tickedAs?: AlarmName
  /** The findings of the System page of which it is a reading. */
  areas: readonly string[]
  isOn: (finding: Finding, facts: SystemFacts, settings: AlarmSettings) => boolean
  afterMs: number
}

const isBad = ({ level }: Finding) => level === 'bad'
const isNoted = ({ level }: Finding) => level !== 'ok'

/** Without the platform's own token, those of the pool are all that can order. */
const hasNoToken = ({ pool }: SystemFacts) => !pool.hasDefault

/** Whether another provider gets the orders of one that takes none. */
const hasStandIn = ({ asides }: SystemFacts) => asides.some(({ standIns }) => standIns.length > 0)

/** Whether that is so for all videos that wait. */
const isStoodIn = (facts: SystemFacts) =>
  hasStandIn(facts) && !facts.asides.some(({ strands }) => strands)

/** The alarms that last, by name. */
export const LASTING = {
  line: {
    title: 'No new videos are ordered',
    areas: ['Provider', 'Other providers', 'Storage', 'Token pool'],
    isOn: (finding, facts) =>
      isBad(finding) &&
      (finding.area === 'Storage' || !isStoodIn(facts)) &&
      (finding.area !== 'Token pool' || hasNoToken(facts)),
    afterMs: minutes(5),
  },
  worker: {
    title: 'No worker is running',
    areas: ['Workers'],
    isOn: isBad,
    afterMs: minutes(1),
  },
  keys: {
    title: 'Few tokens are left',
    areas: ['Token pool'],
    isOn: (finding, { pool }, { fewKeys }) => isNoted(finding) && pool.ok < fewKeys,
    afterMs: 0,
  },
  failures: {
    title: 'Many videos fail',
    areas: ['Failures'],
    isOn: (_finding, { recent }, { failures }) => recent.failedLately >= failures,
    afterMs: 0,
  },
  standIn: {
    title: 'A provider takes no orders, and another one stands in',
    tickedAs: 'line',
    areas: ['Stand-in'],
    isOn: (_finding, facts) => hasStandIn(facts),
    afterMs: 0,
  },
  backup: { title: 'The backup is old', areas: ['Backup'], isOn: isNoted, afterMs: 0 },
  copy: {
    title: 'The copy of the backup is missing',
    tickedAs: 'backup',
    areas: ['Copy of the backup'],
    isOn: isNoted,
    afterMs: 0,
  },
  disk: { title: 'Space is short', areas: ['Storage'], isOn: isNoted, afterMs: 0 },
} as const satisfies Partial<Record<AlarmName | 'copy' | 'standIn', Lasting>>

export type LastingName = keyof typeof LASTING

type Once = Pick<Lasting, 'title' | 'tickedAs'>

/** What happens once, by name. */
export const ONCE = {
  'key-lost': { title: 'A token stopped working' },
  credits: { title: 'Out of credits', tickedAs: 'key-lost' },
  'sign-in': { title: 'An administrator signed in from a new device' },
  claim: { title: 'A payment waits to be confirmed' },
  request: { title: 'A helper asks for your approval' },
} as const satisfies Record<Exclude<AlarmName, LastingName> | 'credits', Once>

export type OnceName = keyof typeof ONCE

const TICKS: ReadonlyMap<string, AlarmName> = new Map(
  [...Object.entries<Once>(LASTING), ...Object.entries<Once>(ONCE)].flatMap(
    ([name, { tickedAs }]) => (tickedAs === undefined ? [] : [[name, tickedAs] as const]),
  ),
)

/** Returns whether administrators want to be told of an alarm. */
export const isWanted = (
  name: LastingName | OnceName,
  { names }: Pick<AlarmSettings, 'names'>,
): boolean => names.some((ticked) => ticked === (TICKS.get(name) ?? name))

/** Told at any hour. */
export const ALWAYS: readonly AlarmName[] = ['line']

/** Returns the words of a duration: 12 min, 3 h. */
export const lastedFor = (ms: number): string => {
  const passed = Math.max(1, Math.floor(ms / minutes(1)))
  return passed < 120 ? `${passed} min` : `${Math.floor(passed / 60)} h`
}
