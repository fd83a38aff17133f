import { setImmediate as nextIteration } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurns } from './turns.server'

test('of a burst one request starts per iteration, and others start at once', async () => {
  const take = createTurns(10)
  const started: string[] = []
  const send = (caller: string, name: string) => take(caller, () => started.push(name))
  for (const name of ['a1', 'a2', 'a3']) send('a', name)
  send('b', 'b1')
  expect(started).toEqual(['a1', 'b1'])
  send('b', 'b2')
  await nextIteration()
  expect(started).toEqual(['a1', 'b1', 'a2', 'b2'])
  send('c', 'c1')
  expect(started.at(-1)).toBe('c1')
  await nextIteration()
  expect(started.slice(5)).toEqual(['a3'])
  await nextIteration()
  send('a', 'a4')
  expect(started.slice(6)).toEqual(['a4'])
})

test('if too many wait, further ones start at once', async () => {
  const take = createTurns(2)
  const started: string[] = []
  for (const name of ['a1', 'a2', 'a3', 'a4']) take('a', () => started.push(name))
  expect(started).toEqual(['a1', 'a4'])
  await nextIteration()
  await nextIteration()
  expect(started).toEqual(['a1', 'a4', 'a2', 'a3'])
})
