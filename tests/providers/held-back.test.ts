import net from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { ask } from '../../app/platform/providers/http/ask.server'
import { openWire } from '../../app/platform/providers/http/wire.server'
import { FLAVOURS } from '../simulator/settings'
import { until } from '../support/wait'
import { openRig, refusalOf, REQUEST, submitCall } from './rig'

// Row f: a process may be frozen for minutes between any two of its steps. The last thing before
// the first byte of a paid order is the check whether it may still go out.

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const NOT_SENT = { fault: { kind: 'transient' }, acceptance: 'not-sent' }

test.each(FLAVOURS)(
  '%s: an order that may no longer start never reaches the provider',
  async (flavour) => {
    const rig = await openRig(flavour)
    ends.push(rig.stop)
    let may = true
    const call = submitCall('att-1', { mayStart: () => Promise.resolve(may) })
    const sending = rig.provider.submit(REQUEST, rig.credential(), call)
    // While it connects.
    may = false
    expect(await refusalOf(sending)).toMatchObject(NOT_SENT)
    expect(rig.sim.journal().filter(({ op }) => op === 'submit')).toEqual([])
    expect(rig.sim.accepted()).toEqual([])
    // The next one goes out.
    await rig.submit()
    expect(rig.sim.accepted()).toHaveLength(1)
  },
)

test('the check runs once, on an open connection, before the first byte is sent', async () => {
  let came = 0
  const open = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    open.add(socket.on('close', () => open.delete(socket)).on('error', () => undefined))
    socket.on('data', (bytes: Buffer) => (came += bytes.length))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(async () => server.close())
  const { port } = server.address() as AddressInfo
  const wire = openWire({ configured: [`127.0.0.1:${port}`], documented: [] })
  ends.push(() => wire.close())
  let questions = 0
  const submit = () =>
    ask(wire, {
      step: 'submit',
      method: 'POST',
      secrets: [],
      headers: {},
      body: '{}',
      url: new URL(`http://127.0.0.1:${port}/v1/videos`),
      signal: AbortSignal.timeout(10_000),
      mayStart: () => {
        questions += 1
        return Promise.resolve(false)
      },
    })
  expect(await refusalOf(submit())).toMatchObject(NOT_SENT)
  await until('the connection to be closed', () => open.size === 0)
  expect({ questions, came }).toEqual({ questions: 1, came: 0 })
  // If the connection is refused, the check does not run.
  await new Promise((resolve) => server.close(resolve))
  expect(await refusalOf(submit())).toMatchObject(NOT_SENT)
  expect(questions).toBe(1)
})

test('vertex-veo: the token is issued before the check, so that nothing delays the order after it', async () => {
  const rig = await openRig('vertex-veo')
  ends.push(rig.stop)
  const credential = rig.credential(rig.sim.serviceAccountKey())
  const ops = () => rig.sim.journal().map(({ op }) => op)
  const seen: string[][] = []
  const call = submitCall('att-1', { mayStart: () => Promise.resolve(seen.push(ops()) > 0) })
  await rig.provider.submit(REQUEST, credential, call)
  expect(seen).toEqual([['token']])
  // An order with a withdrawn token is refused before it is accepted. With the new token the check
  // runs again.
  rig.sim.withdrawMinted()
  let questions = 0
  const twice = submitCall('att-2', { mayStart: () => Promise.resolve((questions += 1) === 1) })
  expect(await refusalOf(rig.provider.submit(REQUEST, credential, twice))).toMatchObject(NOT_SENT)
  expect(rig.sim.accepted()).toHaveLength(1)
})
