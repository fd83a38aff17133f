import { seconds } from '~/lib/time'
import { answerError, unreadable, type Answer } from '../http/answers'
import { serverNow } from '../http/retry-after'
import type { LostOrder } from '../port'
import type { OpenAiVideosConfig } from './config'
import { jobList, type WireListed } from './wire'

type LookUp = {
  config: OpenAiVideosConfig
  attempt: LostOrder
  ageMs: number
  now: number
  /** Asks for a page of the list, the newest orders first. */
  page: (query: string) => Promise<Answer>
}

const CLOCK_SLACK_MS = seconds(5)
/** An order arrives while its request is under way, or not at all. */
const LONGEST_SUBMIT_MS = seconds(65)
const PAGE = 100
const MOST_PAGES = 5

/**
 * The id of the listed order that must be this attempt's: same prompt, size and length, made while
 * the request was under way by the server's own clock, and nobody else's. Null when there is none,
 * or when several fit and it cannot be told whose they are.
 */
export async function findListed(look: LookUp): Promise<string | null> {
  const found: WireListed[] = []
  let after = ''
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = await look.page(`?order=desc&limit=${PAGE}${after}`)
    const list = jobList.safeParse(answer.body.is === 'json' ? answer.body.value : null)
    if (!list.success) {
      const reading = unreadable('find', answer)
      throw answerError({ step: 'find', answer, reading, secrets: [] })
    }
    const { data, has_more } = list.data
    const sentAt = serverNow(answer.headers, look.now) - look.ageMs
    found.push(...data.filter((job) => isAlike(job, look) && isFrom(job, sentAt)))
    const last = data.at(-1)
    if (
      last === undefined ||
      has_more !== true ||
      last.created_at * 1000 < sentAt - CLOCK_SLACK_MS
    ) {
      break
    }
    after = `&after=${encodeURIComponent(last.id)}`
  }
  return ownOf(found, look.attempt)
}

function isAlike(job: WireListed, { config, attempt: { request } }: LookUp): boolean {
  const { prompt, size, seconds } = job
  return (
    prompt === request.prompt &&
    (size ?? config.sizes[request.aspectRatio]) === config.sizes[request.aspectRatio] &&
    Number(seconds ?? request.durationSeconds) === request.durationSeconds
  )
}

function isFrom({ created_at }: WireListed, sentAt: number): boolean {
  const age = created_at * 1000 - sentAt
  return age >= -CLOCK_SLACK_MS && age <= LONGEST_SUBMIT_MS + CLOCK_SLACK_MS
}

async function ownOf(found: readonly WireListed[], attempt: LostOrder): Promise<string | null> {
  if (attempt.isTaken === undefined) return found.length === 1 ? (found[0]?.id ?? null) : null
  const oldestFirst = [...found].sort((one, other) => one.created_at - other.created_at)
  for (const { id } of oldestFirst) if (!(await attempt.isTaken(id))) return id
  return null
}
