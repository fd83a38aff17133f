import { expect, test } from 'vitest'
import { createWatch } from '../../scripts/lib/supervisor.mjs'

/**
 * Checks `times` times, half a second apart in production. Returns the check that found it silent.
 */
function ask(watch: ReturnType<typeof createWatch>, times: number): number | null {
  for (let i = 1; i <= times; i++) if (watch.isSilent()) return i
  return null
}

test('silence is measured from the last message, and five seconds of it are too long', () => {
  const watch = createWatch()
  watch.hear()
  expect(ask(watch, 9)).toBeNull()
  watch.hear()
  expect(ask(watch, 20)).toBe(10)
})

test('a process that never sent a message does not count as silent', () =>
  expect(ask(createWatch(), 100)).toBeNull())
