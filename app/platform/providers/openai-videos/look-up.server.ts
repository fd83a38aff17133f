import { minutes, seconds } from '~/lib/time'
import { answerError, unreadable, type Answer } from '../http/answers'
import { serverNow } from '../http/retry-after'
import type { LostOrder } from '../port'
import type { OpenAiVideosConfig } from './config'
import { likenessOf, type Likeness } from './prompts'
import { jobList, type WireListed } from './wire'

type LookUp = {
  config: OpenAiVideosConfig
  attempt: LostOrder
  now: number
  /** Asks for a page of the list, the newest orders first. */
  page: (query: string) => Promise<Answer>
}

/** `settled: true` says that the order was not taken. */
export type Found = { id: string } | { settled: boolean }

/** Clocks differ, and `created_at` has whole seconds. */
const CLOCK_SLACK_MS = seconds(5)
/** A server that lost its client may go on with the request as long as one is waited for. */
const LONGEST_SUBMIT_MS = seconds(65)
/**
 * An order not listed so long after the last moment at which it could have been taken was not taken:
 * the longest submit, and as much again for servers that list orders late.
 */
const SETTLED_AFTER_MS = minutes(2.5)
const PAGE = 100
const MOST_PAGES = 20

/**
 * The id of the listed order that must be this attempt's: same prompt, size and length, made at a
 * time at which ours could have been made, by the server's own clock, and nobody else's. Without one,
 * whether ours can still turn up: it can while it is young, when the list could not be read back to
 * its time, and when it cannot be told whose a listed order is.
 */
export async function findListed(look: LookUp): Promise<Found> {
  const { attempt, config } = look
  const { jobs, isWhole } = await readList(look)
  const free: WireListed[] = []
  for (const job of jobs) if (!(await attempt.isTaken?.(job.id))) free.push(job)
  const own = free.filter((job) => likeness(job, look) === 'same')
  const [oldest] = own.sort((one, other) => one.created_at - other.created_at)
  // Only who knows the owners of the others can tell whose the oldest is.
  const isSure = attempt.isTaken !== undefined || own.length === 1
  if (oldest !== undefined && isSure) return { id: oldest.id }
  const isOld = attempt.lostMs >= SETTLED_AFTER_MS * config.timeScale
  return { settled: isOld && isWhole && free.length === 0 }
}

type Listed = { jobs: readonly WireListed[]; isWhole: boolean }

/** The orders that could be ours, and whether the list was read back to the time of ours. */
async function readList(look: LookUp): Promise<Listed> {
  const jobs: WireListed[] = []
  let after = ''
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = await look.page(`?order=desc&limit=${PAGE}${after}`)
    const list = jobList.safeParse(answer.body.is === 'json' ? answer.body.value : null)
    if (!list.success) {
      const reading = unreadable('find', answer)
      throw answerError({ step: 'find', answer, reading, secrets: [] })
    }
    const { data, has_more } = list.data
    const sentAt = serverNow(answer.headers, look.now) - look.attempt.ageMs
    jobs.push(...data.filter((job) => isFrom(job, sentAt, look) && likeness(job, look) !== 'other'))
    const last = data.at(-1)
    // A server that does not say whether there is more has more when the page is full.
    const isLast = last === undefined || !(has_more ?? data.length >= PAGE)
    if (isLast || isOlder(data, sentAt)) return { jobs, isWhole: true }
    const next = `&after=${encodeURIComponent(last.id)}`
    // The same page again: this server does not turn pages.
    if (next === after) break
    after = next
  }
  return { jobs, isWhole: false }
}

/** Whether a page went past the time of ours. Some servers list in an order of their own. */
function isOlder(data: readonly WireListed[], sentAt: number): boolean {
  const times = data.map(({ created_at }) => created_at)
  const isNewestFirst = times.every((time, at) => at === 0 || time <= (times[at - 1] ?? time))
  return isNewestFirst && (times.at(-1) ?? 0) * 1000 < sentAt - CLOCK_SLACK_MS
}

function likeness(job: WireListed, { config, attempt: { request } }: LookUp): Likeness {
  const { prompt, size, seconds } = job
  const isAlike =
    (size ?? config.sizes[request.aspectRatio]) === config.sizes[request.aspectRatio] &&
    Number(seconds ?? request.durationSeconds) === request.durationSeconds
  return isAlike ? likenessOf(request.prompt, prompt) : 'other'
}

function isFrom({ created_at }: WireListed, sentAt: number, { attempt }: LookUp): boolean {
  const age = created_at * 1000 - sentAt
  const sendingMs = Math.max(0, attempt.ageMs - attempt.lostMs)
  return age >= -CLOCK_SLACK_MS && age <= sendingMs + LONGEST_SUBMIT_MS + CLOCK_SLACK_MS
}
