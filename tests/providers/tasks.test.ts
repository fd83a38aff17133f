import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Flavour } from '../simulator/settings'
import { GENERATION_MS, openRig, refusalOf, REQUEST, type Rig } from './rig'

// What the profiles of `tasks` promise beyond the port and the corpus.

let rig: Rig
afterEach(() => rig.stop())

test('issue 52: the operator’s own fields are added to every order, and null leaves one out', async () => {
  rig = await openRig('generations', { env: { TASKS_EXTRA: '{"resolution": "720p"}' } })
  // The simulator refuses fields that it does not know, by their names.
  const refused = await refusalOf(rig.submit())
  expect(refused.evidence.message).toContain('resolution')
  await rig.stop()
  rig = await openRig('generations', { env: { TASKS_EXTRA: '{"duration": null}' } })
  expect((await refusalOf(rig.submit())).evidence.message).toContain('duration')
  expect(rig.sim.accepted()).toEqual([])
})

test('issue 52: answers of gateways may be wrapped in {code, data}', async () => {
  rig = await openRig('generations', { scenario: { strange: { wrapped: true } } })
  const { ref, asset } = await rig.finished()
  expect((await rig.fetch(ref, asset)).length).toBeGreaterThan(0)
})

test('issue 52: a refusal with status 200 is a refusal, and an acceptance without an id a lost order', async () => {
  rig = await openRig('generations', { scenario: { strange: { errorsAs200: 'plain' } } })
  rig.sim.play({
    strange: { errorsAs200: 'plain' },
    rules: [
      { when: { op: 'submit' }, times: 1, do: { status: 402, message: 'No credit balance' } },
    ],
  })
  expect(await refusalOf(rig.submit())).toMatchObject({
    fault: { kind: 'quota-exhausted' },
    acceptance: 'rejected',
  })
  rig.sim.play({ rules: [{ when: { op: 'submit' }, times: 1, do: { fault: 'empty' } }] })
  expect(await refusalOf(rig.submit())).toMatchObject({ acceptance: 'unknown' })
  expect(rig.sim.accepted()).toHaveLength(1)
  rig.wait(GENERATION_MS)
})

const MINUTE = 60_000
const LOST = { when: { op: 'submit' as const }, times: 1 }

async function lose(flavour: Flavour, fault: 'drop-after-accept' | 'drop-before-accept') {
  const rules = [{ ...LOST, do: { fault } }]
  rig = await openRig(flavour, { scenario: { rules }, env: { VIDEO_PROVIDER_TIME_SCALE: '1' } })
  expect(await refusalOf(rig.submit({}, 'att-lost'))).toMatchObject({ acceptance: 'unknown' })
}
const look = (ageMs: number) => rig.find(REQUEST.prompt, 'att-lost', { ageMs })

describe('fal: a lost order', () => {
  test('issue 52: is found in the history when it has ended, and its clip is fetched', async () => {
    await lose('fal', 'drop-after-accept')
    // The history may not have running orders, so that nothing in it proves nothing.
    rig.wait(MINUTE)
    expect(await look(MINUTE)).toEqual({ found: 'nothing', settled: false })
    rig.wait(MINUTE)
    const found = await look(2 * MINUTE)
    if (found.found !== 'order') throw new Error(JSON.stringify(found))
    const result = await rig.poll(found.ref)
    if (result.state !== 'succeeded') throw new Error(JSON.stringify(result))
    expect((await rig.fetch(found.ref, result.assets[0])).length).toBeGreaterThan(0)
    expect(rig.sim.accepted()).toHaveLength(1)
  })

  test('issue 52: with other fields, of another time or of another attempt is not taken', async () => {
    await lose('fal', 'drop-before-accept')
    await rig.submit({ durationSeconds: 8 }, 'att-longer')
    await rig.submit({ aspectRatio: 'landscape' }, 'att-wide')
    rig.wait(3 * MINUTE)
    expect(await look(3 * MINUTE)).toEqual({ found: 'nothing', settled: false })
    await rig.submit({}, 'att-after')
    rig.wait(22 * MINUTE)
    // It could have been accepted until its deadline, and was not.
    expect(await look(25 * MINUTE)).toEqual({ found: 'nothing', settled: true })
  })

  test('issue 52: with a picture is found at the endpoint of pictures', async () => {
    await lose('fal', 'drop-before-accept')
    const picture = Buffer.from([0xff, 0xd8, 0, 0xff, 0xd9])
    const { id } = await rig.submit({ picture }, 'att-lost')
    rig.wait(2 * MINUTE)
    const found = await look(2 * MINUTE)
    expect(found).toMatchObject({ found: 'order', ref: { id } })
    if (found.found !== 'order') return
    expect(await rig.poll(found.ref)).toMatchObject({ state: 'succeeded' })
  })
})

test.each(['replicate', 'kling'] as const)(
  'issue 52: %s: a lost order is found while it runs, and is not ordered twice',
  async (flavour) => {
    await lose(flavour, 'drop-after-accept')
    await rig.submit({}, 'att-other')
    const [lost, other] = rig.sim.orders()
    const owned = { belongsToAnother: async (id: string) => id === other!.id }
    const found = await rig.find(REQUEST.prompt, 'att-lost', { ageMs: 30_000 }, {}, owned)
    if (found.found !== 'order') throw new Error(JSON.stringify(found))
    expect(found.ref.id).toBe(lost!.id)
    rig.wait(GENERATION_MS)
    expect(await rig.poll(found.ref)).toMatchObject({ state: 'succeeded' })
  },
)

test.each(['ark', 'minimax'] as const)(
  'issue 52: %s: a list without prompts shows that there is no lost order, and never which one it is',
  async (flavour) => {
    await lose(flavour, 'drop-after-accept')
    rig.wait(3 * MINUTE)
    expect(await look(3 * MINUTE)).toEqual({ found: 'nothing', settled: false })
    await rig.stop()
    await lose(flavour, 'drop-before-accept')
    rig.wait(3 * MINUTE)
    expect(await look(3 * MINUTE)).toEqual({ found: 'nothing', settled: true })
  },
)

test.each(['replicate', 'kling'] as const)(
  'issue 52: %s: an order that was not accepted is settled, and only by an answer',
  async (flavour) => {
    await lose(flavour, 'drop-before-accept')
    rig.wait(3 * MINUTE)
    expect(await look(MINUTE)).toEqual({ found: 'nothing', settled: false })
    for (const op of ['list', 'poll'] as const) {
      rig.sim.play({ rules: [{ when: { op }, do: { status: 500 } }] })
      if (op === (flavour === 'kling' ? 'poll' : 'list')) await refusalOf(look(3 * MINUTE))
    }
    rig.sim.play({})
    expect(await look(3 * MINUTE)).toEqual({ found: 'nothing', settled: true })
  },
)

test('issue 52: addresses of an answer count on the configured host only: no key is sent to another one', async () => {
  const asked: string[] = []
  const serve = async () => {
    const server = http.createServer((request, response) => {
      asked.push(`${request.headers.host} ${request.url}`)
      response.setHeader('content-type', 'application/json')
      const other = `http://${hosts[1]}/x/requests/r-1`
      const order = { request_id: 'r-1', status_url: `${other}/status`, response_url: other }
      response.end(JSON.stringify(request.method === 'POST' ? order : { status: 'IN_QUEUE' }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    return `127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const hosts: string[] = []
  for (const _ of [1, 2]) hosts.push(await serve())
  rig = await openRig('fal', { env: { TASKS_URL: `http://${hosts[0]}` } })
  const ref = await rig.submit()
  expect(await rig.poll(ref)).toMatchObject({ state: 'pending', phase: 'queued' })
  expect(asked).toEqual([
    `${hosts[0]} /fal-ai/veo3.1`,
    `${hosts[0]} /fal-ai/veo3.1/requests/r-1/status`,
  ])
})

describe('an order that is withdrawn', () => {
  test.each([
    ['fal', 'after a moment'],
    ['replicate', 'at once'],
    ['model-studio', 'at once'],
  ] as const)('issue 52: %s ends a waiting one %s, and no ended one', async (flavour, when) => {
    rig = await openRig(flavour)
    const ref = await rig.submit()
    expect(await rig.poll(ref)).toMatchObject({ state: 'pending', phase: 'queued' })
    expect(await rig.withdraw(ref)).toBe(when === 'at once')
    rig.wait(1_000)
    expect(await rig.poll(ref)).toMatchObject({ state: 'failed', wasStopped: true })
    const other = await rig.submit({}, 'att-2')
    rig.wait(GENERATION_MS)
    expect(await rig.withdraw(other)).toBe(false)
    expect(await rig.poll(other)).toMatchObject({ state: 'succeeded' })
    // It cannot be known what became of the order.
    await rig.sim.down()
    expect(await rig.withdraw(other)).toBe(false)
  })

  test('issue 52: nothing is asked of a service that would delete a finished clip, or cannot do it', async () => {
    for (const flavour of ['ark', 'kling', 'minimax', 'generations', 'generations-v2'] as const) {
      rig = await openRig(flavour)
      expect(await rig.withdraw(await rig.submit())).toBeNull()
      await rig.stop()
    }
    rig = await openRig('kling')
  })
})
