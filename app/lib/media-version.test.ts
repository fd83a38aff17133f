import { expect, test } from 'vitest'
import { mediaVersion } from './media-version'

test('the files of a first clip have their plain address, those of each regeneration another', () => {
  const first = '2026-11-24T10:00:00.000Z'
  const second = '2026-11-24T11:00:00.000Z'
  const versions = [
    mediaVersion({ regenerateCount: 0, completedAt: first }),
    // The old clip stays until the new one is ready.
    mediaVersion({ regenerateCount: 1, completedAt: first }),
    mediaVersion({ regenerateCount: 1, completedAt: second }),
  ]
  expect(versions[0]).toBe('')
  expect(new Set(versions).size).toBe(3)
})
