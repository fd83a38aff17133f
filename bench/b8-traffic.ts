import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Client } from '../tests/support/client'
import { clientFrom } from '../tests/support/own-connection'

const USERS = 1_000
/** Each user has a page open that polls like the real one, over a connection of its own. */
const POLL_EVERY_MS = 5_000
const PROMPTS = 10
/** 2.5 videos per second: two cores also run the database, the provider and the customers. */
const BATCH_EVERY_MS = 4_000

/** Registers the users of a day, each from a network of its own, over a connection of its own. */
export async function openPages(urls: readonly string[], db: pg.Pool): Promise<Client[]> {
  const users: Client[] = []
  while (users.length < USERS) {
    const i = users.length
    const user = clientFrom(`198.18.${i >> 8}.${i & 255}`, urls[i % urls.length] ?? '')
    const phone = `0301${1_000_000 + i}`
    const response = await user.post('/api/auth/register', { phone, password: 'secret-1' })
    if (response.status !== 201) throw new Error(`no account: ${JSON.stringify(response.body)}`)
    users.push(user)
  }
  await db.query(
    `update users set plan = 'Enterprise', video_limit = 1000, speed_limit = 10,
       video_generation_speed = 30, expiry_date = null`,
  )
  return users
}

export type Traffic = { accepted: number; polls: number[] }

/** Lets the users poll and order until the signal. A poll that failed took NaN ms. */
export async function startTraffic(
  users: readonly Client[],
  signal: AbortSignal,
): Promise<Traffic> {
  const polls: number[] = []
  const watchPage = async (user: Client, i: number) => {
    await sleep((POLL_EVERY_MS * i) / users.length)
    let since = ''
    while (!signal.aborted) {
      const at = performance.now()
      const response = await user
        .get<{ version: number }>(`/api/videos/changes${since}`)
        .catch(() => undefined)
      const isGood = response !== undefined && response.status < 400
      polls.push(isGood ? performance.now() - at : NaN)
      // A 304 has no body.
      if (response?.status === 200) since = `?since=${response.body.version}`
      await sleep(POLL_EVERY_MS)
    }
  }
  let accepted = 0
  const order = async (user: Client, number: number) => {
    const prompts = Array.from({ length: PROMPTS }, (_, i) => `Batch ${number}, scene ${i}`)
    const key = { 'idempotency-key': `day-${number}` }
    // The same order again until there is a response: the web server may have been killed.
    for (;;) {
      const response = await user
        .call('POST', '/api/videos/bulk-generate', { prompts }, key)
        .catch(() => undefined)
      if (response?.status === 201) accepted += PROMPTS
      if (response !== undefined && response.status < 500) return
      await sleep(700)
    }
  }
  const orderAll = async () => {
    const orders: Promise<void>[] = []
    for (let number = 0; !signal.aborted; number++) {
      const user = users[number % users.length]
      if (user) orders.push(order(user, number))
      await sleep(BATCH_EVERY_MS)
    }
    await Promise.all(orders)
  }
  await Promise.all([...users.map(watchPage), orderAll()])
  return { accepted, polls }
}
