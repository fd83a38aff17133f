import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { createFairQueue, type FairQueue } from './fair-queue.server'

const LIMITS = {
  atOnce: 2,
  atOnceOfCaller: 2,
  mostOfCaller: 3,
  mostOfAll: 5,
  longestWaitMs: 60_000,
  longestTurnMs: 60_000,
}

/** Enters the queue, records the turn under a name and returns a function that ends it. */
function enter(
  queue: FairQueue,
  caller: string,
  { name, turns }: { name: string; turns: string[] },
) {
  const ending = new EventEmitter()
  const entered = queue.enter(caller, ending).then(
    () => void turns.push(name),
    (error: unknown) => String(error),
  )
  return { entered, end: () => void ending.emit('close') }
}
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('callers take turns: a caller with many requests delays only itself', async () => {
  const queue = createFairQueue(LIMITS)
  const turns: string[] = []
  const [a1, a2, a3] = ['a1', 'a2', 'a3'].map((name) => enter(queue, 'a', { name, turns }))
  const b1 = enter(queue, 'b', { name: 'b1', turns })
  await settle()
  expect(turns).toEqual(['a1', 'a2'])
  a1?.end()
  await settle()
  a2?.end()
  await settle()
  expect(turns.slice(2).sort()).toEqual(['a3', 'b1'])
  a3?.end()
  b1.end()
  enter(queue, 'a', { name: 'a4', turns })
  await settle()
  expect(turns.at(-1)).toBe('a4')
})

test('a caller with as many requests inside as it may have waits, and others do not', async () => {
  const queue = createFairQueue({ ...LIMITS, atOnce: 3, atOnceOfCaller: 1 })
  const turns: string[] = []
  const a1 = enter(queue, 'a', { name: 'a1', turns })
  enter(queue, 'a', { name: 'a2', turns })
  enter(queue, 'b', { name: 'b1', turns })
  await settle()
  expect(turns).toEqual(['a1', 'b1'])
  a1.end()
  await settle()
  expect(turns).toEqual(['a1', 'b1', 'a2'])
})

test('the request that has waited longest is next', async () => {
  const queue = createFairQueue({ ...LIMITS, atOnce: 1 })
  const turns: string[] = []
  const first = enter(queue, 'a', { name: 'a1', turns })
  enter(queue, 'a', { name: 'a2', turns })
  const second = enter(queue, 'a', { name: 'a3', turns })
  enter(queue, 'b', { name: 'b1', turns })
  first.end()
  await settle()
  second.end()
  expect(turns).toEqual(['a1', 'a2'])
})

test('a client that never ends its turn does not block the others', async () => {
  const queue = createFairQueue({ ...LIMITS, atOnce: 1, longestTurnMs: 1 })
  const turns: string[] = []
  enter(queue, 'a', { name: 'a1', turns })
  await enter(queue, 'b', { name: 'b1', turns }).entered
  expect(turns).toEqual(['a1', 'b1'])
})

test('too many requests per caller, and in total, are refused with a retry time', async () => {
  const queue = createFairQueue(LIMITS)
  const turns: string[] = []
  for (const name of ['a1', 'a2', 'a3']) enter(queue, 'a', { name, turns })
  const ending = new EventEmitter()
  await expect(queue.enter('a', ending)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    retryAfterSeconds: 1,
  })
  enter(queue, 'b', { name: 'b1', turns })
  enter(queue, 'c', { name: 'c1', turns })
  await expect(queue.enter('d', ending)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    retryAfterSeconds: 5,
  })
})

test('a client that disconnects while waiting gets no turn and is no longer counted', async () => {
  const queue = createFairQueue(LIMITS)
  const turns: string[] = []
  const [a1, , a3] = ['a1', 'a2', 'a3'].map((name) => enter(queue, 'a', { name, turns }))
  a3?.end()
  const b1 = enter(queue, 'b', { name: 'b1', turns })
  a1?.end()
  await b1.entered
  expect(turns).toEqual(['a1', 'a2', 'b1'])
  enter(queue, 'a', { name: 'a4', turns })
  b1.end()
  await settle()
  expect(turns.at(-1)).toBe('a4')
})

test('a request whose turn does not come in time is refused', async () => {
  const queue = createFairQueue({ ...LIMITS, atOnce: 1, longestWaitMs: 1 })
  const turns: string[] = []
  enter(queue, 'a', { name: 'a1', turns })
  await expect(queue.enter('b', new EventEmitter())).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect(turns).toEqual(['a1'])
})
