import fs from 'node:fs/promises'
import { expect, test } from 'vitest'
import { NO_TEXTS } from '../../../app/domain/videos/order-fields'
import { startBatch } from '../../../app/domain/batches/start-batch.server'
import { holdText } from '../../../app/domain/videos/holds'
import { getPulse } from '../../../app/domain/videos/gallery/progress.server'
import { bulk, generate, quotaOf, videosOf } from '../../support/engine/actions'
import { openRng, SEED, trials } from '../../support/engine/trials'
import { useFreshEngine } from '../../support/engine/shared-engine'

const { engine, start } = useFreshEngine()

const FAST = { generationMs: 20_000 }

test(`F15: a truncated, empty or invalid clip never completes a video; an invalid one is fetched five times over ten minutes, and once more by the check for late clips (seed ${SEED})`, async () => {
  await start()
  const rng = openRng(15)
  for (let left = trials(150, 3000); left > 0; left -= 50) {
    const broken = { when: { op: 'content' as const }, times: 1 + rng.below(120) }
    const fault = rng.pick(['truncate', 'no-bytes', 'html', 'corrupt'] as const)
    engine.fake.play({
      defaults: FAST,
      rules: [{ ...broken, do: { fault, atByte: 1 + rng.below(900) } }],
    })
    const user = await engine.user({
      video_limit: 100,
      speed_limit: 50,
      video_generation_speed: 0,
    })
    const before = engine.fake.calls().filter(({ op }) => op === 'content').length
    await startBatch(user, {
      prompts: Array.from({ length: 50 }, (_, i) => `#${i}#`),
      aspectRatio: 'portrait',
      ...NO_TEXTS,
    })
    await engine.settle()
    const calls = engine.fake.calls().filter(({ op }) => op === 'content').length - before
    const videos = await videosOf(engine, user)
    const failed = videos.filter(({ status }) => status === 'error').length
    expect(videos.filter(({ status }) => status === 'completed')).toHaveLength(50 - failed)
    // A truncated clip has been paid for and still exists, so it is fetched until the download is
    // whole.
    if (fault === 'truncate') expect(failed).toBe(0)
    else expect(calls).toBeLessThanOrEqual(6 * 50)
    expect(calls).toBe(Math.min(broken.times, calls) + (50 - failed))
  }
})

test(`F16: the disk is full: the video waits, no partial file becomes visible, and work resumes once there is space (seed ${SEED})`, async () => {
  let isFull = false
  await start({
    deps: ({ storage }) => ({
      storage: {
        ...storage,
        // Writing through the link fails with ENOSPC, as on a full disk.
        scratchPath: async (name) => {
          const file = await storage.scratchPath(name)
          if (isFull && name.endsWith('.part')) await fs.symlink('/dev/full', file)
          return file
        },
        commit: async (scratch, key) => {
          if (isFull) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
          return storage.commit(scratch, key)
        },
      },
    }),
  })
  for (let trial = 0; trial < trials(50, 500); trial++) {
    const user = await engine.user()
    await generate(user)
    await engine.drain()
    isFull = true
    await engine.advance(120_000)
    expect((await videosOf(engine, user))[0]).toMatchObject({
      status: 'generating',
      fileKey: null,
    })
    isFull = false
    await engine.settle()
    expect((await videosOf(engine, user))[0]).toMatchObject({ status: 'completed' })
  }
})

const MIB = 1024 * 1024
const closedUntil = async () => {
  const { rows } = await engine.pool.query<{ at: Date }>(
    'select closed_until as at from provider_gates',
  )
  return rows[0]!.at.getTime()
}
/** How far the videos have got when the disk fills up. */
const MOMENTS = {
  'no order has been sent': async () => undefined,
  'the first round is being made': () => engine.drain(),
  'the first round is ready': async () => {
    await engine.drain()
    await engine.clock.move(25_000)
  },
} as const

test(`F16, R13: free space is below the reserve: no round, order or copy starts, users see the reason, and work resumes by itself (seed ${SEED})`, async () => {
  let free = 10 * 1024 * MIB
  await start({
    env: { STORAGE_RESERVE_MB: '1024' },
    scenario: { defaults: FAST },
    deps: ({ storage }) => ({ storage: { ...storage, freeBytes: async () => free } }),
  })
  const rng = openRng(161)
  // Each shortage affects five users.
  for (let left = trials(50, 500); left > 0; left -= 5) {
    const users = []
    for (let i = 0; i < Math.min(5, left); i++) {
      const user = await engine.user({ plan: 'Professional' })
      users.push(user)
      await bulk(user, 5)
    }
    await rng.pick(Object.values(MOMENTS))()
    free = 1024 * MIB - 1 - rng.below(1024 * MIB)
    const before = engine.fake.entries().length
    await engine.advance(20_000 + rng.below(100_000))
    expect(engine.fake.entries()).toHaveLength(before)
    for (const user of users) {
      const waiting = await videosOf(engine, user)
      expect(waiting.filter(({ fileKey, status }) => fileKey ?? status === 'error')).toEqual([])
      expect(await quotaOf(engine, user)).toMatchObject({ lines: { reserved: 5 } })
      const { holds } = await getPulse(user)
      expect(holds.map(({ reason }) => reason)).toEqual(['space'])
      expect(holdText(holds[0]!)).toMatch(
        /^Our storage for videos is full.*nothing is lost or charged/i,
      )
    }
    expect(await engine.violations()).toEqual({})
    // The pause is over but no probe has run yet, so the reason is still shown.
    await engine.clock.moveTo((await closedUntil()) + 20)
    for (const user of users) expect((await getPulse(user)).holds).toHaveLength(1)

    free = 1024 * MIB
    await engine.advance(16_000)
    for (const user of users) expect((await getPulse(user)).holds).toEqual([])
    await engine.settle()
    for (const user of users) {
      expect((await videosOf(engine, user)).map(({ status }) => status)).toEqual(
        Array.from({ length: 5 }, () => 'completed'),
      )
    }
  }
})
