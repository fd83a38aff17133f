import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { DEFAULT_PLANS } from '../../app/domain/plans/catalogue'
import type { PlanName } from '../../app/domain/plans/types'
import type { UserView } from '../../app/domain/accounts/types'
import type { BatchReceipt } from '../../app/domain/batches/schemas'
import { Client } from '../support/client'
import type { Rng } from '../support/engine/trials'
import { tagOf } from './proxy-process'
import { BREAKS, REFUSED } from './product'
import type { VideoPage } from '../support/videos'

/** A prompt that the product has accepted. */
export type Accepted = {
  number: number
  prompt: string
  negativePrompt: string | null
  aspectRatio: 'portrait' | 'landscape'
  /** The provider never makes a clip of it. */
  isHopeless: boolean
  /** When a single was accepted. */
  at?: number
  batch: Batch | undefined
}

/** A bulk run and the pace with which it was accepted. */
export type Batch = { id: string; speedLimit: number; delaySeconds: number }

export type Customer = {
  name: string
  userId: string
  limit: number
  /** How many of their single videos are under way at once. */
  pace: number
  /** Which provider orders for them, and which stands in. */
  route: string
  accepted: Accepted[]
  /** Number of refusals by the product, by status and code. */
  refused: Map<string, number>
  call: <T>(method: string, path: string, body?: unknown, key?: string) => Promise<CallResponse<T>>
  /** Returns a file, or undefined if the product has none. Retries while the server is too busy. */
  open: (path: string) => Promise<Buffer | undefined>
}

type CallResponse<T> = { status: number; body: T }
type Refusal = { error?: { code?: string }; code?: string }

/** How long a customer waits for a response before retrying. */
const PATIENCE_MS = 20_000
const PAUSE_MS = 700
/**
 * Such a response means that the request was not carried out, or that the outcome is unknown. The
 * customer retries with the same key.
 */
const isTrouble = (status: number) => status >= 500

type Simulation = {
  urls: readonly string[]
  db: pg.Pool
  giveUp: AbortSignal
  /** Replaces Node's fetch for the customers' requests. */
  send?: typeof fetch
}
type NewCustomer = { name: string; plan: PlanName; videoLimit?: number; route?: string }

let phones = 20_000_000
let numbers = 0

/** Registers a user and sets their plan, as an administrator does after a sale. */
export async function signUp(
  { urls, db, giveUp, send }: Simulation,
  { name, plan, videoLimit, route = 'first' }: NewCustomer,
): Promise<Customer> {
  const clients = urls.map((url) => new Client(url, send))
  const phone = `0300${phones++}`
  const registered = await clients[0]!.post<{ user: UserView }>('/api/auth/register', {
    phone,
    password: 'secret-1',
  })
  if (registered.status !== 201) throw new Error(`no account: ${JSON.stringify(registered.body)}`)
  for (const { name: cookie, value } of clients[0]!.cookies())
    for (const other of clients.slice(1)) other.keep(`${cookie}=${value}`)
  const { pace, videosPerDay } = DEFAULT_PLANS[plan]
  const limit = videoLimit ?? videosPerDay
  const { id } = registered.body.user
  await db.query(
    `update users set plan = $2, video_limit = $3, speed_limit = $4, video_generation_speed = $5,
       expiry_date = null, route = $6 where id = $1`,
    [id, plan, limit, pace.videos, pace.delaySeconds, route],
  )
  let turn = 0
  const call: Customer['call'] = async <T>(
    method: string,
    path: string,
    body?: unknown,
    key?: string,
  ) => {
    for (;;) {
      const client = clients[turn++ % clients.length]!
      const response = await tryCall<T>(client, { method, path, body, key })
      if (response !== undefined && !isTrouble(response.status)) return response
      if (giveUp.aborted) throw new Error(`${method} ${path} was never answered`)
      await sleep(PAUSE_MS)
    }
  }
  const open: Customer['open'] = async (path) => {
    for (;;) {
      const response = await clients[turn++ % clients.length]!.send('GET', path)
      const bytes = Buffer.from(await response.arrayBuffer())
      if (response.ok) return bytes
      if (!isTrouble(response.status) || giveUp.aborted) return undefined
      await sleep(PAUSE_MS)
    }
  }
  return {
    name,
    userId: id,
    limit,
    pace: pace.videos,
    route,
    accepted: [],
    refused: new Map(),
    call,
    open,
  }
}

type CallRequest = { method: string; path: string; body: unknown; key: string | undefined }

async function tryCall<T>(
  client: Client,
  { method, path, body, key }: CallRequest,
): Promise<CallResponse<T> | undefined> {
  try {
    const response = await client.send(method, path, {
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: {
        'sec-fetch-site': 'none',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as T }
  } catch {
    return undefined
  }
}

/** Returns a unique prompt. Some contain characters that protocols change on the way. */
function newPrompt(rng: Rng): Omit<Accepted, 'batch'> {
  const number = ++numbers
  const kind = rng.below(20)
  const words = kind === 0 ? REFUSED : kind === 1 ? BREAKS : 'a lantern on the river'
  const rest = kind < 6 ? `${words},\nslowly, as if it had time` : words
  return {
    number,
    prompt: `${tagOf(number)} ${rest}`,
    negativePrompt: kind % 3 === 0 ? 'blur, text' : null,
    aspectRatio: rng.below(2) === 0 ? 'portrait' : 'landscape',
    isHopeless: kind < 2,
  }
}

function note(customer: Customer, { status, body }: CallResponse<unknown>): void {
  const { error, code } = (body ?? {}) as Refusal
  const why = `${status} ${error?.code ?? code ?? ''}`.trim()
  customer.refused.set(why, (customer.refused.get(why) ?? 0) + 1)
}

/** Orders one video. Retries with the same key until there is a response. */
export async function orderSingle(customer: Customer, rng: Rng): Promise<void> {
  const wish = newPrompt(rng)
  const { prompt, negativePrompt, aspectRatio, number } = wish
  const input = { prompt, negativePrompt, aspectRatio }
  const response = await customer.call('POST', '/api/videos/generate', input, `single-${number}`)
  if (response.status === 201) customer.accepted.push({ ...wish, batch: undefined, at: Date.now() })
  else note(customer, response)
}

/** What a bulk run may do beyond today's quota. */
type Beyond = { carryOver?: true; queue?: true }

/** Starts a bulk run. Returns its pace, or undefined if it was refused. */
export async function orderBulk(
  customer: Customer,
  rng: Rng,
  count: number,
  beyond: Beyond = {},
): Promise<Batch | undefined> {
  const shared = newPrompt(rng)
  const wishes = Array.from({ length: count }, () => ({
    ...newPrompt(rng),
    negativePrompt: shared.negativePrompt,
    aspectRatio: shared.aspectRatio,
  }))
  const response = await customer.call<BatchReceipt>(
    'POST',
    '/api/videos/bulk-generate',
    {
      prompts: wishes.map(({ prompt }) => prompt),
      negativePrompt: shared.negativePrompt,
      aspectRatio: shared.aspectRatio,
      ...beyond,
    },
    `bulk-${shared.number}`,
  )
  if (response.status !== 201) {
    note(customer, response)
    return undefined
  }
  const { batchId, speedLimit, delaySeconds } = response.body
  const batch = { id: batchId, speedLimit, delaySeconds }
  customer.accepted.push(...wishes.map((wish) => ({ ...wish, batch })))
  return batch
}

/**
 * Begins another day for a customer, whatever the clock says: there are more units, and what waits for
 * a later day is due. Returns whether anything waited. Tries until the database answers.
 */
export async function beginDay(db: pg.Pool, customer: Customer, units: number): Promise<boolean> {
  customer.limit += units
  for (;;) {
    try {
      await db.query('update users set video_limit = $2 where id = $1', [
        customer.userId,
        customer.limit,
      ])
      await db.query(
        `update batches set carries_at = engine_now() - interval '31 seconds'
         where user_id = $1 and carries_at > engine_now()`,
        [customer.userId],
      )
      const { rowCount } = await db.query(
        'select 1 from carried_prompts join batches on batches.id = batch_id where user_id = $1',
        [customer.userId],
      )
      return (rowCount ?? 0) > 0
    } catch {
      await sleep(PAUSE_MS)
    }
  }
}

/** Returns every video in a customer's gallery. */
export async function galleryOf(customer: Customer): Promise<VideoPage['videos']> {
  const response = await customer.call<VideoPage>('GET', '/api/videos?limit=10000')
  return response.body.videos
}

/** Returns the units used today, as the customer sees them. */
export async function usedBy(customer: Customer): Promise<number> {
  const response = await customer.call<UserView>('GET', '/api/auth/me')
  return response.body.videosGeneratedToday
}
