import { afterEach, expect, test } from 'vitest'
import { GENERATION_MS, openRig, refusalOf, type Rig } from './rig'

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
