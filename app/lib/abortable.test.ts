import { getEventListeners } from 'node:events'
import { expect, test, vi } from 'vitest'
import { abortable } from './abortable'

const why = () => new Error('given up')
const never = () => new Promise<never>(() => undefined)

test('work that ends first decides, and nothing keeps listening', async () => {
  const { signal } = new AbortController()
  expect(await abortable(async () => 1, signal, why)).toBe(1)
  const fails = abortable(() => Promise.reject(new Error('its own')), signal, why)
  await expect(fails).rejects.toThrow('its own')
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('an aborted signal ends the wait, or prevents the work', async () => {
  const controller = new AbortController()
  const waits = abortable(never, controller.signal, why)
  controller.abort()
  await expect(waits).rejects.toThrow('given up')
  const work = vi.fn(never)
  await expect(abortable(work, controller.signal, why)).rejects.toThrow('given up')
  expect(work).not.toHaveBeenCalled()
})
