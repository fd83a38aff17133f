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
    const { rows } = await db.query<{ n: number }>(
      `select count(*)::int as n from videos where status in ('pending', 'generating')
         and not exists (select 1 from attempts where video_id = videos.id and state = 'unknown')`,
    )
    return rows[0]?.n === 0
  })
}
