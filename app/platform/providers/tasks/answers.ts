import { isSuccess, jsonOf, type HttpResponse } from '../http/responses'
import { classOf } from '../reading/error-classes'
import { errorIn } from '../reading/errors'
import { isObject, objectOf } from '../reading/json'
import { readJob, refusalIn, type Job } from '../reading/jobs'
import { orderIdIn } from '../reading/order-ids'
import type { Profile } from './profile'
import type { TasksConfig } from './settings.server'

/**
 * Returns the id of the order in an answer, or null. Where the profile names its place, no other one
 * counts: the id of the HTTP request would be taken for it.
 */
export function idIn({ idAt }: Profile, said: unknown): string | null {
  if (idAt === undefined) return orderIdIn(said, errorIn(said) !== null)
  const id = idAt.reduce<unknown>((value, name) => objectOf(value)[name], said)
  return orderIdIn({ id }, true)
}

/**
 * Returns the addresses that an answer names and the profile keeps, without the configured one, with
 * which they have to begin: no key is ever sent to another host.
 */
export function keptIn({ profile, baseUrl }: TasksConfig, said: unknown): Record<string, string> {
  const named = (profile.keeps ?? []).map((name) => [name, objectOf(said)[name]] as const)
  return Object.fromEntries(
    named.flatMap(([name, value]) => {
      const isOurs = typeof value === 'string' && value.startsWith(`${baseUrl}/`)
      return isOurs && URL.canParse(value) ? [[name, value.slice(baseUrl.length)]] : []
    }),
  )
}

/** `attemptId`: for which attempt the order was made; null if the answer does not name it. */
export type Task = Job & { attemptId: string | null }

/** Returns the job in an answer, or null if it speaks of no order. */
export function jobIn(profile: Profile, response: HttpResponse, orderId: string): Task | null {
  const said = jsonOf(response)
  if (!isSuccess(response) || !isObject(said)) return null
  const job = readJob(said)
  if (refusalIn(said, job, orderId) !== null) return null
  const { find } = profile
  const attemptId = find?.by === 'client-id' ? find.ownId(said) : null
  return { ...(profile.reread?.(job, said) ?? job), attemptId }
}

/** Statuses that speak of the question or of the server, never of the order. */
const OF_THE_QUESTION = new Set([401, 403, 404, 408, 410, 425, 429])

/**
 * Returns the end of a finished order from the answer that has its clip. An order may have failed all
 * the same: the answer is then its error. Null if the answer tells nothing about it.
 */
export function endIn(job: Task, response: HttpResponse): Task | null {
  const said = jsonOf(response)
  if (!isObject(said)) return null
  if (isSuccess(response)) return { ...job, clips: readJob(said).clips }
  const { status } = response
  const error = errorIn(said)
  const isOfTheOrder = status >= 400 && status < 500 && !OF_THE_QUESTION.has(status)
  if (!isOfTheOrder || error === null || classOf(error) === 'not-ready') return null
  return { ...job, meaning: status === 499 ? 'stopped' : 'failed', error }
}

/** Returns whether a server has answered to a good key, also that it has no such order. */
export function isNoSuchOrder(response: HttpResponse): boolean {
  const error = errorIn(jsonOf(response))
  const isMissing = error !== null && classOf(error) === 'missing'
  const isJson = response.body.is === 'json'
  const isGood = isSuccess(response) ? error === null : isJson && response.status === 404
  return isGood || (isMissing && response.status < 500)
}
