import { likenessOf, type Likeness } from '~/lib/prompt-likeness'
import { minutes, seconds } from '~/lib/time'
import { responseError, jsonOf, unreadable, type HttpResponse } from '../http/responses'
import { serverNow } from '../http/retry-after'
import type { LostOrder } from '../port'
import type { OpenAiVideosConfig } from './settings.server'
import { z } from 'zod'

type LookUp = {
  config: OpenAiVideosConfig
  attempt: LostOrder
  now: number
  /** Requests a page of the list, newest orders first. */
  page: (query: string) => Promise<HttpResponse>
}

/** `settled: true` means that the order was not accepted. */
export type Found = { id: string } | { settled: boolean }

/** Clocks differ, and `created_at` has whole seconds. */
const CLOCK_SLACK_MS = seconds(5)
/**
 * A server that lost its client may continue with the request for as long as a client would wait.
 */
const LONGEST_SUBMIT_MS = seconds(65)
/**
 * An order that is not listed this long after the last moment at which it could have been accepted
 * was not accepted: the longest submit, and as much again for servers that list orders late.
 */
const SETTLED_AFTER_MS = minutes(2.5)
const PAGE = 100
const MOST_PAGES = 20

/**
 * Returns the id of the listed order that must be this attempt's: it has the same prompt, size and
 * length, was created in the attempt's time by the server's clock, and belongs to no other attempt.
 * Otherwise returns whether the search is settled. It is not while the attempt is young, if the
 * list could not be read back to its time, or if the owner of a listed order is unclear.
 */
export async function findListed(look: LookUp): Promise<Found> {
  const { attempt, config } = look
  const { jobs, isWhole } = await readList(look)
  const free: WireListed[] = []
  for (const job of jobs) if (!(await attempt.belongsToAnother?.(job.id))) free.push(job)
  const own = free.filter((job) => likeness(job, look) === 'same')
  const [oldest] = own.sort((one, other) => one.created_at - other.created_at)
  // If several orders match, the oldest is this attempt's only if the others' owners are known.
  const isSure = attempt.belongsToAnother !== undefined || own.length === 1
  if (oldest !== undefined && isSure) return { id: oldest.id }
  const isOld = attempt.lostMs >= SETTLED_AFTER_MS * config.timeScale
  return { settled: isOld && isWhole && free.length === 0 }
}

type Listed = { jobs: readonly WireListed[]; isWhole: boolean }

/**
 * Returns the orders that could be this attempt's, and whether the list was read back to its time.
 */
async function readList(look: LookUp): Promise<Listed> {
  const jobs: WireListed[] = []
  let after = ''
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const response = await look.page(`?order=desc&limit=${PAGE}${after}`)
    const list = jobList.safeParse(jsonOf(response))
    if (!list.success) {
      const reading = unreadable('find', response)
      throw responseError({ step: 'find', response, reading, secrets: [] })
    }
    const { data, has_more } = list.data
    const sentAt = serverNow(response.headers, look.now) - look.attempt.ageMs
    jobs.push(...data.filter((job) => isFrom(job, sentAt, look) && likeness(job, look) !== 'other'))
    const last = data.at(-1)
    // If a server does not report whether there is more, a full page means that there is.
    const isLast = last === undefined || !(has_more ?? data.length >= PAGE)
    if (isLast || isOlder(data, sentAt)) return { jobs, isWhole: true }
    const next = `&after=${encodeURIComponent(last.id)}`
    // The same page again: this server does not support paging.
    if (next === after) break
    after = next
  }
  return { jobs, isWhole: false }
}

/** Returns whether a page reaches back before our order. Some servers do not sort by time. */
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

/** The server's list of orders. It is read strictly: what is not in it may be ordered again. */
const jobList = z.object({
  data: z.array(
    z.object({
      id: z.union([z.string().min(1), z.number().int()]).transform(String),
      prompt: z.string().nullish(),
      size: z.string().nullish(),
      seconds: z.union([z.string(), z.number()]).nullish(),
      created_at: z.number(),
    }),
  ),
  has_more: z.boolean().nullish(),
})
type WireListed = z.output<typeof jobList>['data'][number]
