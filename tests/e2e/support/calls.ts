import { expect, type Page } from '@playwright/test'
import { ADVISORY_LOCKS } from '../../../app/platform/db/locks'
import type { Installation } from '../../support/installation'

/**
 * Makes every accepted video wait: the service counts as unavailable, and no probe is sent. It waits for a
 * dispatch that has read the gates and not yet the line: that one would still send a video of this test.
 */
export async function closeService({ db }: Installation): Promise<void> {
  await db.query(
    `with dispatched as materialized (select pg_advisory_xact_lock($1))
    insert into provider_gates (scope, reason, closed_until, probe_ms, closed_at)
    select scope, 'down', now() + interval '1 day', 86400000, now()
    from dispatched, unnest(array['service local', 'service openai-videos']) as scope
    on conflict (scope) do update set reason = 'down', closed_until = excluded.closed_until`,
    [ADVISORY_LOCKS.dispatch],
  )
}

/** Releases the waiting videos at once, instead of at the next sweep of each minute. */
export async function openService({ db }: Installation): Promise<void> {
  await db.query('delete from provider_gates')
  await db.query(`update line_entries set wake_at = now() where state = 'held'`)
  await db.query(`select graphile_worker.add_job('videos.dispatch', '{}')`)
}

/** Calls the product as the page's user. Fails the test if the call is refused. */
export async function call<Answer>(
  page: Page,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  data = {},
): Promise<Answer> {
  const response = await page.request.fetch(path, { method, ...(method !== 'GET' && { data }) })
  expect(response.ok(), `${method} ${path}: ${response.status()}`).toBe(true)
  return (await response.json()) as Answer
}

/**
 * Leaves the page, so that it asks for nothing more. Must be called before something that it shows is
 * removed behind its back: it would ask for that, and report the 404.
 */
export async function leave(page: Page): Promise<void> {
  await page.goto('about:blank')
}

/** Cancels the latest batch of the page's user. */
export async function cancelLatestBatch(page: Page): Promise<void> {
  const [batch] = await call<{ id: string }[]>(page, 'GET', '/api/batches')
  await call(page, 'POST', `/api/batches/${batch?.id}/cancel`)
}

/** Makes the page's tab hidden or visible, including the event. */
export async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)
}

declare global {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- merging needs an interface
  interface Window {
    asked?: { path: string; at: number }[]
    unanswered?: number
  }
}

/** Runs in the page: records the requests of its scripts. */
function noteCalls(): void {
  const { fetch } = window
  const calls: NonNullable<Window['asked']> = []
  window.asked = calls
  window.unanswered = 0
  window.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href)
    calls.push({ path: pathname, at: Date.now() })
    window.unanswered = (window.unanswered ?? 0) + 1
    try {
      return await fetch(input, init)
    } finally {
      window.unanswered -= 1
    }
  }
}

/**
 * Installs the page's clock and records the requests of the page's scripts, with their time by that
 * clock. Must be called before the page is opened.
 */
export async function watchCalls(page: Page) {
  await page.clock.install()
  await page.addInitScript(noteCalls)
  /** Waits until every request has its response. */
  const settled = () => expect.poll(() => page.evaluate(() => window.unanswered)).toBe(0)
  const read = async () => {
    await settled()
    return page.evaluate(() => window.asked ?? [])
  }
  return {
    settled,
    clear: async () => {
      await settled()
      await page.evaluate(() => window.asked?.splice(0))
    },
    /** Returns the milliseconds between the requests to one address. */
    gaps: async (path: string): Promise<number[]> => {
      const times = (await read()).filter((call) => call.path === path).map(({ at }) => at)
      expect(times.length).toBeGreaterThan(2)
      return times.slice(1).map((at, index) => at - (times[index] ?? 0))
    },
    /** Returns the requested addresses other than these. */
    others: async (known: readonly string[]): Promise<string[]> =>
      (await read()).map(({ path }) => path).filter((path) => !known.includes(path)),
  }
}
