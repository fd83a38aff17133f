import type pg from 'pg'
import { authenticator } from './authenticator'
import type { Client } from './client'
import { sendForm } from './page'

export const TWO_STEP = '/account/two-step'

/** The product's clock, stopped. Only `move` changes it. */
export type StandingClock = { now: () => number; move: (seconds: number) => Promise<void> }

/** Stops the clock of an installation, so that a code cannot expire before it is checked. */
export async function stopClock(db: pg.Pool): Promise<StandingClock> {
  let now = Date.now()
  const set = () =>
    db.query(`create or replace function engine_now() returns timestamptz language sql stable
      as 'select to_timestamp(${now / 1000})'`)
  await set()
  return {
    now: () => now,
    move: async (seconds) => {
      now += seconds * 1000
      await set()
    },
  }
}

/** Returns the key that a page shows. */
export const keyOf = (html: string): string => /data-key="([A-Z2-7]+)"/.exec(html)?.[1] ?? ''

/** Returns the recovery codes that a page shows. */
export const codesOf = (html: string): string[] => [
  ...new Set(html.match(/\b[a-z2-7]{6}(?:-[a-z2-7]{6}){3}\b/g)),
]

/** Switches two-step sign-in on as a user does. This uses up the current code. */
export async function switchOn(client: Client, now?: () => number) {
  const started = await sendForm(client, TWO_STEP, { intent: 'start', password: 'secret-1' })
  const key = keyOf(started.html)
  const app = authenticator(key, now)
  const confirmed = await sendForm(client, TWO_STEP, { intent: 'confirm', code: app.code() })
  return { key, app, confirmed, recoveryCodes: codesOf(confirmed.html) }
}
