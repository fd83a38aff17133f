import { expect } from 'vitest'
import type { VideoView } from '../../app/domain/videos/types'
import type { Client } from './client'
import type { Installation } from './installation'
import { until } from './wait'

/** Orders with a key until the product has time for it, as programs do; answers the video's id. */
export async function order(user: Client, key: string): Promise<string> {
  return until('the order to be taken', async () => {
    const headers = { 'idempotency-key': key }
    const input = { prompt: 'A lantern' }
    const answer = await user.call<VideoView>('POST', '/api/videos/generate', input, headers)
    expect([201, 503]).toContain(answer.status)
    return answer.status === 201 && answer.body.id
  })
}

/** The states of an attempt on its way to a clip. */
export const WAY = ['queued', 'submitting', 'submitted', 'fetching', 'done'] as const

/** Waits until a video's order has come to a step of the way, or further. */
export async function comesAsFarAs(
  { db }: Installation,
  id: string,
  step: (typeof WAY)[number],
): Promise<void> {
  await until(`the order to be ${step}`, async () => {
    const { rows } = await db.query(
      'select 1 from attempts where video_id = $1 and state::text = any($2)',
      [id, WAY.slice(WAY.indexOf(step))],
    )
    return rows.length > 0
  })
}

/** Waits until nothing is under way but orders that nobody can know about before their deadline. */
export async function allAreMade({ db }: Installation): Promise<void> {
  await until('all videos', async () => {
    const { rows } = await db.query(
      `select videos.id, status, attempts.state, attempts.due_at, lease_holder, line_entries.state as line,
         (select json_agg(jobs) from graphile_worker.jobs) as jobs
       from videos left join line_entries on line_entries.video_id = videos.id
         left join attempts on attempts.video_id = videos.id
           and attempts.state in ('queued', 'submitting', 'submitted', 'fetching', 'unknown')
       where status in ('pending', 'generating') and attempts.state is distinct from 'unknown'`,
    )
    // What is left when the waiting is given up stands in the failure.
    if (rows.length > 0) throw new Error(JSON.stringify(rows))
    return true
  })
}
