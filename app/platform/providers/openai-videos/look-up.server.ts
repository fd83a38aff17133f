import { z } from 'zod'
import { findListed as find, LISTED_AFTER_MS, type Found, type ListedPage } from '../http/listed'
import { responseError, jsonOf, unreadable, type HttpResponse } from '../http/responses'
import { serverNow } from '../http/retry-after'
import type { LostOrder } from '../port'
import type { OpenAiVideosConfig } from './settings.server'

type LookUp = {
  config: OpenAiVideosConfig
  attempt: LostOrder
  now: number
  /** Requests a page of the list, newest orders first. */
  page: (query: string) => Promise<HttpResponse>
}

const PAGE = 100

/** Looks for an order in the server's list, by its prompt, size, length and time. */
export function findListed({ config, attempt, now, page }: LookUp): Promise<Found> {
  const settledAfterMs = LISTED_AFTER_MS * config.timeScale
  const read = async (next: string): Promise<ListedPage> => {
    const response = await page(`?order=desc&limit=${PAGE}${next}`)
    const list = jobList.safeParse(jsonOf(response))
    if (!list.success) {
      const reading = unreadable('find', response)
      throw responseError({ step: 'find', response, reading, secrets: [] })
    }
    const { data, has_more } = list.data
    const last = data.at(-1)
    // If a server does not report whether there is more, a full page means that there is.
    const isLast = last === undefined || !(has_more ?? data.length >= PAGE)
    return {
      orders: data.map(({ id, prompt, created_at, ...job }) => ({
        id,
        prompt,
        createdAt: created_at * 1000,
        isAlike: isAlike(job, { config, attempt }),
      })),
      next: isLast ? null : `&after=${encodeURIComponent(last.id)}`,
      serverNow: serverNow(response.headers, now),
    }
  }
  return find({ attempt, settledAfterMs, read })
}

function isAlike(
  { size, seconds }: Pick<WireListed, 'size' | 'seconds'>,
  { config, attempt: { request } }: Pick<LookUp, 'config' | 'attempt'>,
): boolean {
  return (
    (size ?? config.sizes[request.aspectRatio]) === config.sizes[request.aspectRatio] &&
    Number(seconds ?? request.durationSeconds) === request.durationSeconds
  )
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
