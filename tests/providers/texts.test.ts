import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTextService } from '../../app/platform/texts/chat.server'
import { textEnvFor } from '../simulator/settings'
import { startSimulator, type Simulator } from '../simulator/simulator'
import { until } from '../support/wait'

// The client of a text service, without the product around it.

let simulator: Simulator
beforeAll(async () => void (simulator = await startSimulator()))
beforeEach(() => simulator.play({}))
afterAll(() => simulator.stop())

function open(more: Partial<Parameters<typeof createTextService>[0]> = {}) {
  const env = textEnvFor(simulator)
  const service = createTextService({
    baseUrl: env.TEXT_SERVICE_URL ?? '',
    key: env.TEXT_SERVICE_KEY ?? '',
    model: env.TEXT_SERVICE_MODEL ?? '',
    ...more,
  })
  const ask = (texts: string[], signal = AbortSignal.timeout(30_000)) =>
    service.rewrite('improve', texts, signal)
  return { ...service, ask }
}

test('issue 53.6: one request has many texts, and the key only in its header', async () => {
  const service = open()
  const before = simulator.accepted().length
  expect(await service.ask(['a', '{"id": 2}\n"b"'])).toEqual({
    texts: ['a, a', '{"id": 2}\n"b", {"id": 2}\n"b"'],
  })
  expect([simulator.accepted().length - before, simulator.stats().secretsInUrl]).toEqual([1, 0])
  await service.stop()
})

test('issue 53.6: an address with a slash at its end is the same, a wrong model is an error', async () => {
  const slash = open({ baseUrl: `${simulator.apiUrl}/texts/v1/` })
  expect(await slash.ask(['a'])).toHaveProperty('texts')
  const wrong = open({ model: 'nobody' })
  expect(await wrong.ask(['a'])).toEqual({ problem: 'error', evidence: '404 model_not_found' })
  await Promise.all([slash.stop(), wrong.stop()])
})

test('issue 53.6: a service that does not answer is given up, and its key is in no words', async () => {
  const service = open({ key: 'wrong-key-of-mine' })
  simulator.play({ rules: [{ do: { fault: 'hang' } }] })
  const patience = new AbortController()
  const count = simulator.journal().length
  const answer = service.ask(['a'], patience.signal)
  await until('the request', () => simulator.journal().length > count)
  patience.abort(new DOMException('no response in time', 'TimeoutError'))
  expect(await answer).toMatchObject({ problem: 'slow' })
  simulator.releaseHanging()
  simulator.play({ rules: [{ do: { status: 403, message: 'wrong-key-of-mine is unknown' } }] })
  expect(await service.problem(AbortSignal.timeout(30_000))).toMatch(
    /^It answers 403: .*\[redacted\] is unknown/,
  )
  await service.stop()
})
