import { expect, test } from 'vitest'
import { createWatch } from '../../scripts/lib/supervisor.mjs'

/** Asks so many times, half a second apart in life; answers at which it was found silent. */
function ask(watch: ReturnType<typeof createWatch>, times: number): number | null {
  for (let i = 1; i <= times; i++) if (watch.isSilent()) return i
  return null
}

test('silence begins with the last word, and five seconds of it are too many', () => {
  const watch = createWatch()
  watch.hear()
  expect(ask(watch, 9)).toBeNull()
  watch.hear()
  expect(ask(watch, 20)).toBe(10)
})

test('who never said a word is not waited for', () => expect(ask(createWatch(), 100)).toBeNull())
