import { describe, expect, test } from 'vitest'
import { finishEstimate } from './finish-estimate'
import { TEST_INPUTS } from './test-inputs'

describe('finish estimate', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  const base = {
    ...TEST_INPUTS,
    now,
    nextRoundAt: now,
    waiting: 7,
    moving: 0,
    closedUntil: null,
  }
  const after = (inputs: Parameters<typeof finishEstimate>[0]) => {
    const finish = finishEstimate(inputs)
    return finish === null ? null : (finish.getTime() - now.getTime()) / 1000
  }

  test('is the start of the last round plus one video', () => expect(after(base)).toBe(150))
  test('is counted from the next round', () =>
    expect(after({ ...base, nextRoundAt: new Date(now.getTime() + 20_000) })).toBe(170))
  test('depends on the number of places if they are slower than the pace', () =>
    expect(after({ ...base, places: 1 })).toBe(7 * 30))
  test('is one video from now if none waits', () =>
    expect(after({ ...base, waiting: 0, moving: 2 })).toBe(30))
  test('is null if no video remains', () => expect(after({ ...base, waiting: 0 })).toBeNull())
})

describe('finish estimate along a whole batch', () => {
  type Provider = { servers: number; serviceMs: (video: number) => number; places: number }
  type Pace = { speedLimit: number; delaySeconds: number }

  /**
   * Simulates when each of `videos` videos is sent and delivered, in milliseconds. A round starts
   * `delaySeconds` after the last order of the previous round was sent.
   */
  function simulate(videos: number, { servers, serviceMs, places }: Provider, pace: Pace) {
    const deliveries: { roundAt: number; sentAt: number; doneAt: number }[] = []
    const freeAt = Array.from({ length: servers }, () => 0)
    let [roundAt, lastSentAt] = [0, 0]
    for (let video = 0; video < videos; video += 1) {
      if (video > 0 && video % pace.speedLimit === 0)
        roundAt = lastSentAt + pace.delaySeconds * 1_000
      const done = deliveries.map(({ doneAt }) => doneAt).sort((one, other) => one - other)
      const placeAt = video < places ? 0 : (done[video - places] ?? 0)
      const sentAt = Math.max(roundAt, placeAt)
      lastSentAt = sentAt
      const server = freeAt.indexOf(Math.min(...freeAt))
      const doneAt = Math.max(sentAt, freeAt[server] ?? 0) + serviceMs(video)
      freeAt[server] = doneAt
      deliveries.push({ roundAt, sentAt, doneAt })
    }
    return deliveries.sort((one, other) => one.doneAt - other.doneAt)
  }

  /** Returns the estimate after each delivery, based on the last twenty deliveries. */
  function estimates(videos: number, provider: Provider, pace: Pace) {
    const all = simulate(videos, provider, pace)
    const end = all.at(-1)?.doneAt ?? 0
    return all.slice(0, -1).map(({ doneAt: at }, index) => {
      const seen = all.slice(Math.max(0, index - 19), index + 1)
      const steps = seen.flatMap(({ sentAt, doneAt }, i) => {
        const before = seen[i - 1]?.doneAt
        return before !== undefined && sentAt <= before ? [doneAt - before] : []
      })
      const mean = (values: number[]) => values.reduce((sum, ms) => sum + ms, 0) / values.length
      const begun = all.filter(({ roundAt }) => roundAt <= at)
      const out = begun.length
      const roundAt = Math.max(...begun.map((video) => video.roundAt))
      // Before that, it is unknown how long the orders of this round wait for a place.
      const knownAt = roundAt + pace.delaySeconds * 1_000
      const nextAt = at < knownAt ? knownAt : (all[out]?.roundAt ?? 0)
      const finish = finishEstimate({
        ...pace,
        now: new Date(at),
        places: provider.places,
        platformPlaces: provider.places,
        waiting: videos - out,
        moving: out - index - 1,
        nextRoundAt: out === videos ? null : new Date(nextAt),
        videoMs: mean(seen.map(({ sentAt, doneAt }) => doneAt - sentAt)),
        betweenMs: steps.length < 3 ? null : mean(steps),
        isQueue: provider.servers < provider.places,
        others: 0,
        closedUntil: null,
      })
      return { delivered: index + 1, shown: finish?.getTime() ?? 0, at, end }
    })
  }

  const one = { servers: 1, places: 4, serviceMs: (video: number) => 5_500 + (video % 5) * 400 }
  test.each([
    ['built-in renderer, all at once', one, { speedLimit: 100, delaySeconds: 0 }],
    ['built-in renderer, at a pace', one, { speedLimit: 10, delaySeconds: 30 }],
    [
      'built-in renderer, idle between rounds',
      { servers: 1, places: 3, serviceMs: () => 4_000 },
      { speedLimit: 10, delaySeconds: 30 },
    ],
    ['built-in renderer, slower than the pace', one, { speedLimit: 5, delaySeconds: 45 }],
  ])(
    'U-BULK-7: %s: from the tenth delivery on, the error is below 25%',
    (_name, provider, pace) => {
      for (const { delivered, shown, at, end } of estimates(100, provider, pace)) {
        // Near the end a relative error means little, and users have no time to read the estimate.
        if (delivered < 10 || end - at < 12_000) continue
        const off = (shown - end) / (end - at)
        expect(Math.abs(off), `after ${delivered}: off by ${off.toFixed(2)}`).toBeLessThan(0.25)
      }
    },
  )
})
