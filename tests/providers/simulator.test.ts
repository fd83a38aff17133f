import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { clipNote } from '../simulator/clip'
import { virtualClock } from '../simulator/clock'
import { readLedger } from '../simulator/ledger'
import { startSimulator } from '../simulator/simulator'
import { until } from '../support/wait'
import {
  credentialOf,
  GENERATION_MS,
  memoryClip,
  openRig,
  REQUEST,
  submitCall,
  type MemoryClip,
} from './rig'

// What tests require of the simulator, beyond the protocols of its providers.

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

test.each(['vertex-veo', 'openai', 'runway'] as const)(
  '%s: an order that gets the id of an earlier one is charged too, and the id refers to the earlier order',
  async (flavour) => {
    const rules = [{ when: { op: 'submit' as const, nth: 2 }, do: { fault: 'same-id' as const } }]
    const rig = await openRig(flavour, { scenario: { rules } })
    ends.push(rig.stop)
    const first = await rig.submit({ prompt: 'the first' }, 'att-1')
    const second = await rig.submit({ prompt: 'the second' }, 'att-2')
    expect(second.id).toBe(first.id)
    const [one, two] = rig.sim.accepted()
    expect(two?.orderId).toBe(one?.orderId)
    expect(two?.promptHash).not.toBe(one?.promptHash)
    rig.wait(GENERATION_MS)
    const result = await rig.poll(second)
    if (result.state !== 'succeeded') throw new Error(JSON.stringify(result))
    const clip = await rig.fetch(first, result.assets[0])
    expect(clipNote(clip)).toContain(one!.promptHash)
    if (flavour !== 'vertex-veo') return
    // Its own clip is in the folder that the request named.
    const found = await rig.find('the second', 'att-2')
    if (found.found !== 'assets') throw new Error(found.found)
    expect(clipNote(await rig.fetch(found.ref, found.assets[0]))).toContain(two!.promptHash)
  },
)

test('the ledger records when a request arrived and when it was accepted', async () => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-ledger-'))
  ends.push(() => fs.rm(folder, { recursive: true }))
  const ledgerFile = path.join(folder, 'ledger')
  const clock = virtualClock(Date.UTC(2026, 10, 21))
  const scenario = { rules: [{ when: { op: 'submit' as const }, do: { latencyMs: 45_000 } }] }
  const sim = await startSimulator({ clock, ledgerFile, scenario })
  ends.push(sim.stop)
  const body = { model: 'sora-2', prompt: REQUEST.prompt, seconds: '4', size: '720x1280' }
  let isOver = false
  const sent = fetch(`${sim.apiUrl}/openai/v1/videos`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-1', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).finally(() => (isOver = true))
  const moved = await until('the order to be accepted', () => {
    if (isOver) return sim.now()
    sim.advance(1_000)
    return false
  })
  expect((await sent).status).toBe(200)
  const [entry] = readLedger(ledgerFile)
  expect(entry!.at - entry!.arrivedAt).toBeGreaterThanOrEqual(45_000)
  expect(entry!.at).toBeLessThanOrEqual(moved)
})

test.each(['vertex-veo', 'openai', 'gateway', 'runway'] as const)(
  '%s: clips and parts of them are sent at the set speed',
  async (flavour) => {
    const sim = await startSimulator({
      scenario: { defaults: { generationMs: 1, bytes: 60_000, bytesPerSecond: 200_000 } },
    })
    ends.push(sim.stop)
    const provider = sim.provider(flavour)
    ends.push(() => provider.stop())
    const credential = credentialOf(provider)
    const ref = await provider.submit(REQUEST, credential, submitCall('att-1'))
    const result = await until('the clip', async () => {
      const state = await provider.poll(ref, credential, AbortSignal.timeout(10_000))
      return state.state === 'succeeded' && state
    })
    /** Returns the bytes that came too early, by more than one chunk and the rounding of clocks. */
    const aheadIn = async (clip: MemoryClip) => {
      const began = sim.now()
      let ahead = 0
      const file = {
        ...clip,
        async write(chunk: Uint8Array) {
          await clip.write(chunk)
          ahead = Math.max(ahead, clip.written() - 25_000 - (sim.now() - began) * 200)
        },
      }
      const signal = AbortSignal.timeout(20_000)
      const into = { file, maxBytes: 1_000_000, idleMs: 5_000, signal }
      await provider.fetch({ ref, asset: result.assets[0] }, credential, into)
      return ahead
    }
    const whole = memoryClip()
    expect(await aheadIn(whole)).toBe(0)
    const part = memoryClip(whole.content().subarray(0, 20_000), whole.version())
    expect(await aheadIn(part)).toBe(0)
    expect(part.content().equals(whole.content())).toBe(true)
    expect(part.written()).toBe(40_000)
  },
)
