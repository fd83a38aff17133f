import fs from 'node:fs/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { startBatch } from '../../app/domain/batches/start-batch.server'
import { generate, videosOf } from '../support/engine/acts'
import { openChance, PATIENCE_MS, SEED, trials } from '../support/engine/chance'
import { startEngine, type Engine, type EngineOptions } from '../support/engine/engine'

vi.setConfig({ testTimeout: PATIENCE_MS })

let engine: Engine
const start = async (options?: EngineOptions) => {
  engine = await startEngine(options)
}
afterEach(async () => {
  expect(await engine.violations()).toEqual({})
  expect(await engine.jobErrors()).toEqual([])
  await engine.close()
})

const FAST = { generationMs: 20_000 }

test(`F15: cut off, empty, or no film: never completed; fetched three times at most (seed ${SEED})`, async () => {
  await start()
  const chance = openChance(15)
  for (let left = trials(300, 3000); left > 0; left -= 50) {
    const broken = { when: { op: 'content' as const }, times: 1 + chance.below(120) }
    const faults = ['truncate', 'no-bytes', 'html', 'corrupt'] as const
    engine.desk.play({
      defaults: FAST,
      rules: [{ ...broken, do: { fault: chance.pick(faults), atByte: 1 + chance.below(900) } }],
    })
    const user = await engine.user({
      video_limit: 100,
      speed_limit: 50,
      video_generation_speed: 0,
    })
    const before = engine.desk.calls().filter(({ op }) => op === 'content').length
    await startBatch(user, {
      prompts: Array.from({ length: 50 }, (_, i) => `#${i}#`),
      ...{ aspectRatio: 'portrait', negativePrompt: null },
    })
    await engine.settle()
    const calls = engine.desk.calls().filter(({ op }) => op === 'content').length - before
    const videos = await videosOf(engine, user)
    const failed = videos.filter(({ status }) => status === 'error').length
    expect(videos.filter(({ status }) => status === 'completed')).toHaveLength(50 - failed)
    expect(calls).toBeLessThanOrEqual(150)
    expect(calls).toBe(Math.min(broken.times, calls) + (50 - failed))
  }
})

test(`F16: a full disk: the video waits, nothing half is seen, all goes on when there is room (seed ${SEED})`, async () => {
  let isFull = false
  await start({
    deps: ({ storage }) => ({
      storage: {
        ...storage,
        // Writing through the link fails as it does on a disk without room.
        scratchPath: async (name) => {
          const file = await storage.scratchPath(name)
          if (isFull) await fs.symlink('/dev/full', file)
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
