import { seconds } from '~/lib/time'
import { isCleanText, plural, trimText } from '~/lib/text'
import { VIDEO_LIMITS } from '../videos/rules'

export const BATCH_LIMITS = { prompts: 100 } as const
export const NO_PROMPTS = 'Please enter at least one prompt'
export const TOO_MANY_PROMPTS = `Maximum ${BATCH_LIMITS.prompts} prompts allowed at once`

export type PromptLine = { line: number; text: string }

/** The prompts of a text, one a line, trimmed, blank lines dropped; with the lines they stand on. */
export function parsePromptLines(text: string): PromptLine[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line, index) => ({ line: index + 1, text: trimText(line) }))
    .filter((prompt) => prompt.text !== '')
}

const PROMPT_CAP = VIDEO_LIMITS.promptCharacters

/** What is wrong with the prompts, in words that name the line; empty when they can be taken. */
export function problemsOf(prompts: readonly PromptLine[], place: string): string[] {
  if (prompts.length === 0) return [NO_PROMPTS]
  if (prompts.length > BATCH_LIMITS.prompts) return [TOO_MANY_PROMPTS]
  return prompts.flatMap(({ line, text }) => {
    if (!isCleanText(text)) return [`${place} ${line} contains characters that cannot be stored`]
    if (Array.from(text).length <= PROMPT_CAP) return []
    return [`${place} ${line} can have at most ${PROMPT_CAP.toLocaleString('en')} characters`]
  })
}

/**
 * Lines that look like JSON and are not. They are prompts all the same (decision Q-34); whoever
 * wrote them may want to know. Only as many as a batch takes are looked at.
 */
export function findBrokenJson(prompts: readonly PromptLine[]): PromptLine[] {
  return prompts
    .slice(0, BATCH_LIMITS.prompts)
    .filter(({ text }) => text.startsWith('{') && !isJson(text))
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A number or a bullet before a blank, as lists have them: `1. `, `2) `, `(3) `, `- `, `• `. */
const LIST_SIGN = /^(?:\(?\d{1,3}[.)]|[-*+•‣▪◦·–—])\s+/u
const QUOTATION_MARKS = ['""', "''", '“”', '„“', '‘’', '«»', '``'] as const

/**
 * A line without what only makes it part of a list: its number or bullet, and quotation marks around the
 * whole of it. A line that is nothing else, JSON, and one with such marks inside stay as they are.
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

/** How many rounds that many videos take. */
export const roundsFor = ({ waiting, speedLimit }: Plan): number => Math.ceil(waiting / speedLimit)

/** From the next round's start to the last one's. */
export function lastRoundAfterMs(plan: Plan): number {
  return Math.max(0, roundsFor(plan) - 1) * seconds(plan.delaySeconds)
}

/** The pace in words. */
export function paceText({ speedLimit, delaySeconds }: Omit<Plan, 'waiting'>): string {
  const videos = plural(speedLimit, 'video')
  return delaySeconds === 0 ? `${videos} at a time` : `${videos} every ${delaySeconds} seconds`
}

/** The toast after a bulk start. */
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

/** What became of a batch that was stopped while so many of its videos had been sent. */
export const stoppedText = (sent: number): string =>
  sent === 0
    ? 'Stopped. Nothing more will be made, and the quota of the rest is back.'
    : `Stopped. ${sent} already sent may still finish; the quota of the rest is back.`

/** What Retry All and the administrator's regenerations answer. */
export const retryText = (count: number, left: number): string =>
  left > 0
    ? `${plural(count, 'failed video')} queued for retry; ${left} more did not fit into today's quota.`
    : `${plural(count, 'failed video')} queued for retry.`
