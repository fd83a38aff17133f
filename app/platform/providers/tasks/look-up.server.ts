import { likenessOf } from '~/lib/prompt-likeness'
import { responseError, isSuccess, jsonOf, unreadable, type HttpResponse } from '../http/responses'
import { CLOCK_SLACK_MS, findListed, LISTED_AFTER_MS, type Found } from '../http/listed'
import type { ListedOrder, ListedPage } from '../http/listed'
import { readRefusal } from '../http/refusals'
import { serverNow } from '../http/retry-after'
import type { LostOrder } from '../port'
import { classOf } from '../reading/error-classes'
import { errorIn } from '../reading/errors'
import { isObject, objectOf, textOf, type JsonObject } from '../reading/json'
import { idIn } from './answers'
import type { ByClientId, ByList } from './profile'
import { inputOf, wishOf } from './requests'
import type { TasksConfig } from './settings.server'

type LookUp = {
  config: TasksConfig
  attempt: LostOrder
  now: number
  /** Asks for a path at one of the service's hosts. */
  ask: (path: string, base: string) => Promise<HttpResponse>
}

type FoundWith = { id: string; model: string } | { settled: boolean }

/**
 * Looks for a lost order as the profile can: by our own id of it, or in the list. Returns the id that
 * the service gave it and its model, or whether it can no longer appear.
 */
export async function findLost(look: LookUp): Promise<FoundWith> {
  const { config } = look
  const { find, hasListPerModel } = config.profile
  if (find === null) return { settled: false }
  // An order that is looked up does not say whether it had a picture.
  const other = hasListPerModel ? config.pictureModel : null
  const models = new Set([config.model, other ?? config.model])
  let settled = true
  for (const model of models) {
    const found = await (find.by === 'list'
      ? findByList(find, look, model)
      : findByClientId(find, look))
    if ('id' in found) return { ...found, model }
    settled &&= found.settled
  }
  return { settled }
}

/** Returns the error of an answer that tells nothing about a lost order. */
function unclear(response: HttpResponse, now: number) {
  const isRefused = !isSuccess(response) || errorIn(jsonOf(response)) !== null
  const reading = isRefused ? readRefusal('find', response, { now }) : unreadable('find', response)
  return responseError({ step: 'find', response, reading, secrets: [] })
}

/** Only a clear "there is none" counts as such. */
async function findByClientId({ path, ownId }: ByClientId, look: LookUp): Promise<Found> {
  const { attempt, now, ask, config } = look
  const response = await ask(path(attempt.attemptId), config.baseUrl)
  const said = jsonOf(response)
  const error = errorIn(said)
  const isMissing = error !== null && classOf(error) === 'missing'
  if (isMissing || (response.status === 404 && isObject(said))) {
    return { settled: attempt.lostMs >= LISTED_AFTER_MS * config.timeScale }
  }
  const id = isSuccess(response) && error === null ? idIn(config.profile, said) : null
  const isOurs = (ownId(objectOf(said)) ?? attempt.attemptId) === attempt.attemptId
  if (id === null || !isOurs) throw unclear(response, now)
  return { id }
}

function findByList(list: ByList, look: LookUp, model: string): Promise<Found> {
  const { config, attempt, now, ask } = look
  const { timeScale, deadlineMs, baseUrl } = config
  const base = list.host?.of.test(baseUrl) ? list.host.url : baseUrl
  const input = inputOf(config, wishOf(config, attempt.request, attempt.attemptId))
  const since = new Date(now - attempt.ageMs - CLOCK_SLACK_MS)
  // A list without running orders shows ours when it has ended.
  const settledAfterMs = list.showsRunning ? LISTED_AFTER_MS * timeScale : deadlineMs
  const read = async (next: string): Promise<ListedPage> => {
    const page = next === '' ? 1 : Number(next)
    const response = await ask(list.path({ model, since, page }), base)
    const rows = isSuccess(response) ? rowsIn(jsonOf(response)) : null
    const orders = rows?.flatMap((row) => listedOrder(row, list, input) ?? [])
    // A row that is no order: the list proves nothing.
    if (orders === undefined || orders.length !== rows?.length) throw unclear(response, now)
    const said = objectOf(jsonOf(response))
    return {
      orders,
      next: nextPage(list, { page, rows: orders.length, said }),
      serverNow: serverNow(response.headers, now),
    }
  }
  return findListed({ attempt, settledAfterMs, read })
}

const LISTS = ['items', 'results', 'tasks', 'list', 'data'] as const

/** Returns the rows of a list, wherever they stand; null if there is none. */
function rowsIn(said: unknown): JsonObject[] | null {
  if (errorIn(said) !== null) return null
  const root = objectOf(said)
  const layers: JsonObject[] = Array.isArray(said) ? [{ items: said }] : [root, objectOf(root.data)]
  for (const layer of layers) {
    for (const name of LISTS) {
      const value = layer[name]
      if (Array.isArray(value)) return value.map(objectOf)
    }
  }
  return null
}

function listedOrder(row: JsonObject, { names }: ByList, input: JsonObject): ListedOrder | null {
  const id = textOf(row[names.id] ?? row.task_id ?? row.id)
  if (id === null) return null
  const held = names.input === undefined ? {} : objectOf(row[names.input])
  const { prompt: _, ...fields } = input
  const isAlike = Object.entries(fields).every(([name, value]) => isSame(held[name], value))
  const { prompt } = held
  return {
    id,
    prompt: typeof prompt === 'string' ? prompt : null,
    createdAt: timeOf(row[names.time]),
    isAlike,
  }
}

/** What the list leaves out says nothing. */
function isSame(theirs: unknown, ours: unknown): boolean {
  const [one, other] = [textOf(theirs), textOf(ours)]
  return one === null || other === null || likenessOf(other, one) !== 'other'
}

/** Reads a time as ISO 8601, or as seconds or milliseconds since 1970. */
function timeOf(value: unknown): number | null {
  const text = textOf(value)
  if (text === null) return null
  const number = Number(text)
  if (Number.isFinite(number)) return number < 1e11 ? number * 1000 : number
  const time = Date.parse(text)
  return Number.isNaN(time) ? null : time
}

type Read = { page: number; rows: number; said: JsonObject }

function nextPage(list: ByList, { page, rows, said }: Read): string | null | undefined {
  const { pageSize, onePage } = list
  if (pageSize !== undefined && rows < pageSize) return null
  if (said.next === null || said.has_more === false) return null
  if (typeof said.total === 'number' && said.total <= rows) return null
  return pageSize === undefined || onePage ? undefined : String(page + 1)
}
