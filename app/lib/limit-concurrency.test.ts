import { expect, test } from 'vitest'
import { limitConcurrency } from './limit-concurrency.server'

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
