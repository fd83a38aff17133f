import { seconds } from '~/lib/time'
import { figure, plural } from '~/lib/figures'
import { isCleanText, isLongerThan, linesOf, trimText } from '~/lib/text'
import { VIDEO_LIMITS } from '../videos/rules'
import type { BatchHead } from '../videos/types'
import type { BatchFailure, BatchSummary, BatchView, Cancelled } from './types'

export const BATCH_LIMITS = {
  prompts: 100,
  /** Batches of a user that may wait in line. */
  inLine: 5,
} as const
export const NO_PROMPTS = 'Please enter at least one prompt'
export const TOO_MANY_PROMPTS = `Maximum ${BATCH_LIMITS.prompts} prompts allowed at once`

export type PromptLine = { line: number; text: string }

/**
 * Splits a text into prompts, one per line, trimmed and without blank lines, with their line
 * numbers.
 */
export function parsePromptLines(text: string): PromptLine[] {
  return linesOf(text)
    .map((line, index) => ({ line: index + 1, text: trimText(line) }))
    .filter((prompt) => prompt.text !== '')
}

const PROMPT_CAP = VIDEO_LIMITS.promptCharacters

/**
 * Returns the problems of the prompts as messages that name the line, or [] if they are acceptable.
 */
export function problemsOf(prompts: readonly PromptLine[], place: string): string[] {
  if (prompts.length === 0) return [NO_PROMPTS]
  if (prompts.length > BATCH_LIMITS.prompts) return [TOO_MANY_PROMPTS]
  return prompts.flatMap(({ line, text }) => {
    if (!isCleanText(text)) return [`${place} ${line} contains characters that cannot be stored`]
    if (!isLongerThan(text, PROMPT_CAP)) return []
    return [`${place} ${line} can have at most ${figure(PROMPT_CAP)} characters`]
  })
}

/** `{red|blue}` and `{Animal}` are no JSON (wording.ts). */
const IN_BRACES = /^\{[^{}":]*\}/

/**
 * Returns lines that start like JSON but do not parse. They are accepted as prompts (decision
 * Q-34), but the user may want to know. Only as many lines as one batch takes are checked.
 */
export function findBrokenJson(prompts: readonly PromptLine[]): PromptLine[] {
  return prompts
    .slice(0, BATCH_LIMITS.prompts)
    .filter(({ text }) => text.startsWith('{') && !IN_BRACES.test(text) && !isJson(text))
}

/** Whether a prompt is a JSON object, which stays as it is. */
export const isJsonObject = (text: string): boolean => text.startsWith('{') && isJson(text)

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Marks of the writing direction, which some programs put before a line. */
const DIRECTION_MARKS = String.raw`[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*`
const NUMBER = String.raw`[(#]?\p{Nd}{1,3}\s?[.):]|\p{Nd}{1,3}\s?[-–—]|#\p{Nd}{1,3}|\p{Nd}\ufe0f?\u20e3`
const BULLET = '[-*+•‣▪◦·–—]'
/** As language models number what they write. */
const LABEL = String.raw`(?:\*\*)?(?:prompt|scene|shot|video|clip)\s?#?\p{Nd}{1,3}\s?[:.)–—-](?:\*\*)?`
const CHECKBOX = String.raw`\[[ xX]\]|[☐☑☒]`
/**
 * A number, in any script, a bullet or a checkbox followed by white space, as in lists: `1. `, `2) `,
 * `(3) `, `4: `, `٤. `, `- `, `• `, `- [ ] `, `☐ `, `Scene 5: `.
 */
const LIST_SIGN = new RegExp(
  String.raw`^${DIRECTION_MARKS}(?:${NUMBER}|${LABEL}|(?:${BULLET}\s+)?(?:${CHECKBOX})|${BULLET})\s+`,
  'iu',
)
const QUOTATION_MARKS = ['""', "''", '“”', '„“', '‘’', '«»', '``'] as const

/**
 * Removes list markup from a line: its number or bullet, and quotation marks around the whole line.
 * Lines that consist only of markup, JSON, and lines with quotation marks inside stay unchanged.
 */
export function withoutListSigns(text: string): string {
  const rest = text.replace(LIST_SIGN, '')
  const inside = rest.replace(/,$/, '').slice(1, -1)
  const isQuoted = QUOTATION_MARKS.some(
    ([open = '', close = '']) =>
      rest.startsWith(open) &&
      rest.replace(/,$/, '').endsWith(close) &&
      !inside.includes(open) &&
      !inside.includes(close),
  )
  return trimText(isQuoted ? inside : rest) || text
}

type Plan = { waiting: number; speedLimit: number; delaySeconds: number }

/** Returns how many rounds the waiting videos take. */
export const roundsFor = ({ waiting, speedLimit }: Plan): number => Math.ceil(waiting / speedLimit)

/** Returns the milliseconds from the start of the next round to the start of the last one. */
export function lastRoundAfterMs(plan: Plan): number {
  return Math.max(0, roundsFor(plan) - 1) * seconds(plan.delaySeconds)
}

/** Describes the pace for users. */
export function paceText({ speedLimit, delaySeconds }: Omit<Plan, 'waiting'>): string {
  const videos = plural(speedLimit, 'video')
  return delaySeconds === 0 ? `${videos} at a time` : `${videos} every ${delaySeconds} seconds`
}

/** Returns the toast after a batch was started. */
export function startedText({
  totalVideos,
  speedLimit,
  delaySeconds,
}: {
  totalVideos: number
  speedLimit: number
  delaySeconds: number
}): string {
  return `${totalVideos} videos queued. Processing ${speedLimit} video(s) every ${delaySeconds} seconds.`
}

/** Returns the message after a batch was stopped when `sent` of its videos were already sent. */
export const stoppedText = (sent: number): string =>
  (sent === 0 ? 'Stopped. ' : `Stopped. ${plural(sent, 'video')} already sent may still finish. `) +
  'Videos not sent yet will not be made, and their quota is back.'

/** Says what became of the units of prompts that were cancelled. */
export function unitsBackText({ prompts, units }: Cancelled): string {
  if (units === 0) return 'Nothing was charged.'
  if (units < prompts) return `${plural(units, 'video')} came back to your quota.`
  return prompts === 1 ? 'It came back to your quota.' : 'They came back to your quota.'
}

/** Adds to a message about the end of a batch that another one of so many prompts has started, if one has. */
export const withNext = (text: string, started: number | null): string =>
  started === null
    ? text
    : `${text} The next batch in line has started: ${plural(started, 'prompt')}.`

/** Returns the message of Retry All. */
export const retryText = (count: number, left: number): string =>
  left > 0
    ? `${plural(count, 'failed video')} queued for retry; ${left} more did not fit into today's quota.`
    : `${plural(count, 'failed video')} queued for retry.`

/** Returns the toast after a batch was started that may go on for days. */
export function startedOverDaysText(
  receipt: Parameters<typeof startedText>[0] & { carried: number },
): string {
  const { totalVideos, carried } = receipt
  if (carried === 0) return startedText(receipt)
  const later = carried === 1 ? '1 waits' : `${figure(carried)} wait`
  if (carried === totalVideos) return `${later} for the next days. Nothing is charged before.`
  const today = startedText({ ...receipt, totalVideos: totalVideos - carried })
  return `${today} ${later} for the next days.`
}

type States = Pick<
  BatchSummary,
  'ready' | 'inProgress' | 'waiting' | 'failed' | 'cancelled' | 'gone'
>

/** Says how many videos of a batch are in which state: `35 ready, 5 failed`. */
export function statesText({ ready, ...rest }: States): string {
  return [`${figure(ready)} ready`, ...otherStates(rest)].join(', ')
}

function otherStates({ inProgress, waiting, failed, cancelled, gone }: Omit<States, 'ready'>) {
  const made = inProgress - waiting
  const parts = [
    made > 0 && `${figure(made)} in progress`,
    waiting > 0 && `${figure(waiting)} to come`,
    failed > 0 && `${figure(failed)} failed`,
    cancelled > 0 && `${figure(cancelled)} cancelled`,
    gone > 0 && `${figure(gone)} deleted`,
  ]
  return parts.filter((part) => part !== false)
}

/**
 * Says the same of a batch on its strip, of how many and with those of later days: `22 of 100 ready, 78 to
 * come`. What was deleted is of its hundred no more.
 */
export function stripText({ ready, carried, ...rest }: BatchHead): string {
  const total = presentVideos({ ready, carried, ...rest })
  const others = otherStates({
    ...rest,
    inProgress: rest.inProgress + carried,
    waiting: rest.waiting + carried,
  })
  return [`${figure(ready)} of ${figure(total)} ready`, ...others].join(', ')
}

/** Returns how much of a batch on its strip is ready, of what was not deleted. */
export const readyPercent = (batch: BatchHead): number =>
  Math.floor((100 * batch.ready) / Math.max(1, presentVideos(batch)))

const presentVideos = ({ ready, inProgress, carried, failed, cancelled }: BatchHead): number =>
  ready + inProgress + carried + failed + cancelled

type Staged = Pick<
  BatchView,
  'totalVideos' | 'completedVideos' | 'failedVideos' | 'isPaused' | 'carried'
>

/**
 * Returns what a running batch does: it makes videos, waits for a later day or for a renewal of the plan,
 * or is paused. `sent` of its videos can no longer be stopped.
 */
export function stageOf(batch: Staged, sent = 0): 'making' | 'later' | 'unpaid' | 'paused' {
  const { totalVideos, completedVideos, failedVideos, isPaused, carried } = batch
  if (sent > 0) return 'making'
  if (isPaused) return 'paused'
  const left = totalVideos - completedVideos - failedVideos - (carried?.prompts ?? 0)
  if (left > 0 || !carried) return 'making'
  return carried.isStopped ? 'unpaid' : 'later'
}

/** Counts the failures of a batch, apart from the videos that were cancelled with it. */
export function countFailures(failures: readonly BatchFailure[]) {
  const all = failures.reduce((sum, { videos }) => sum + videos, 0)
  const cancelled = failures.find(({ errorCode }) => errorCode === 'cancelled')?.videos ?? 0
  return { cancelled, failed: all - cancelled }
}
