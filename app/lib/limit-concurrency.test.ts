import { expect, test } from 'vitest'
import { limitConcurrency, limitInTurns } from './limit-concurrency.server'

const gate = () => {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open, opened }
}

test('runs only `places` functions at once, the others in order of arrival, even after failures', async () => {
  const twoAtOnce = limitConcurrency(2)
  const log: string[] = []
  const gates = ['a', 'b', 'c', 'd'].map((name) => ({ name, ...gate() }))
  const works = gates.map(({ name, opened }) =>
    twoAtOnce(async () => {
      log.push(name)
      await opened
      if (name === 'a') throw new Error('a failed')
      return name
    }),
  )
  const settled = Promise.allSettled(works)
  expect(log).toEqual(['a', 'b'])
  gates[0]?.open()
  await expect(works[0]).rejects.toThrow('a failed')
  expect(log).toEqual(['a', 'b', 'c'])
  for (const { open } of gates) open()
  expect((await settled).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ])
  expect(log).toEqual(['a', 'b', 'c', 'd'])
})

test('A3: a lower lane goes first, and the callers of a lane take turns', async () => {
  const oneAtOnce = limitInTurns(1)
  const log: string[] = []
  const run = (lane: number, caller: string, name: string) =>
    oneAtOnce({ lane, caller }, () => Promise.resolve(void log.push(name)))
  await Promise.all([
    run(1, 'a', 'running'),
    run(1, 'a', 'a2'),
    run(1, 'a', 'a3'),
    run(1, 'b', 'b1'),
    run(0, 'c', 'first lane'),
  ])
  expect(log).toEqual(['running', 'first lane', 'b1', 'a2', 'a3'])
})
