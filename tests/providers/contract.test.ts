import { afterEach, describe, expect, test } from 'vitest'
import { clipNote } from '../simulator/clip'
import { FLAVOURS } from '../simulator/settings'
import { openBench, REQUEST, type Bench } from './bench'

let bench: Bench
afterEach(() => bench.stop())

describe.each(FLAVOURS)('%s', (flavour) => {
  test('an order is taken once, is waited for, and its clip comes whole', async () => {
    bench = await openBench(flavour, { scenario: { defaults: { bytes: 300_000 } } })
    const ref = await bench.submit()
    expect(await bench.poll(ref)).toMatchObject({ state: 'pending' })
    bench.wait(90_000)
    const result = await bench.poll(ref)
    expect(result.state).toBe('succeeded')
    if (result.state !== 'succeeded') return
    const clip = await bench.fetch(ref, result.assets[0])
    expect(clipNote(clip)).toContain(bench.sim.orders()[0]!.id)
    expect(clip.length).toBe(300_000)
    expect(bench.sim.accepted({ prompt: REQUEST.prompt })).toHaveLength(1)
    expect(bench.sim.stats()).toMatchObject({
      ...{ ordersAccepted: 1, deliveredVideos: 1, crossAccountPolls: 0 },
      ...{ secretsInUrl: 0, credentialsToFiles: 0 },
    })
  })
})
