import { expect } from 'vitest'
import type { VideoView } from '../../app/domain/videos/types'
import type { Client } from './client'
import type { Installation } from './installation'
import { until } from './wait'

/**
 * Orders with a key, retrying until the product accepts it, as clients do. Returns the video's id.
 */
export async function order(user: Client, key: string): Promise<string> {
  return until('the order to be accepted', async () => {
    const headers = { 'idempotency-key': key }
    const input = { prompt: 'A lantern' }
    const response = await user.call<VideoView>('POST', '/api/videos/generate', input, headers)
    expect([201, 503]).toContain(response.status)
    return response.status === 201 && response.body.id
  })
}

/** The states of an attempt on its way to a clip. */
export const ATTEMPT_STATES = ['queued', 'submitting', 'submitted', 'fetching', 'done'] as const

/** Waits until a video's attempt has reached a state, or a later one. */
export async function untilAttemptReaches(
  { db }: Installation,
  id: string,
  step: (typeof ATTEMPT_STATES)[number],
): Promise<void> {
  await until(`the order to be ${step}`, async () => {
    const { rows } = await db.query(
      'select 1 from attempts where video_id = $1 and state::text = any($2)',
      [id, ATTEMPT_STATES.slice(ATTEMPT_STATES.indexOf(step))],
    )
    return rows.length > 0
  })
}

/** Waits until no video is under way, except orders whose fate is unknown until their deadline. */
export async function untilNothingIsUnderWay({ db }: Installation): Promise<void> {
  await until('all videos', async () => {
    const { rows } = await db.query(
      `select videos.id, status, attempts.state, attempts.due_at, lease_holder, line_entries.state as line,
         (select json_agg(jobs) from graphile_worker.jobs) as jobs
       from videos left join line_entries on line_entries.video_id = videos.id
         left join attempts on attempts.video_id = videos.id
           and attempts.state in ('queued', 'submitting', 'submitted', 'fetching', 'unknown')
       where status in ('pending', 'generating') and attempts.state is distinct from 'unknown'`,
    )
    // The last error is reported when the wait times out.
    if (rows.length > 0) throw new Error(JSON.stringify(rows))
    return true
  })
}
