import { expect, test } from 'vitest'
import { batchName, nameIn } from './names'

const zones = { from: 'UTC', to: 'Asia/Karachi' }
const createdAt = '2026-01-05T22:27:00.000Z'

test('issue 37: a name from a batch’s time tells the reader’s, and one that was given stays', () => {
  for (const kind of ['bulk', 'retry', 'regeneration'] as const) {
    const name = batchName({ name: null, kind, createdAt }, zones.from)
    expect(name).toMatch(/ of 22:27$/)
    expect(nameIn({ name, createdAt }, zones)).toBe(name.replace('22:27', '03:27'))
  }
  for (const name of ['Foxes', 'Batch of 22:28', 'Batch of 22:27 foxes'])
    expect(nameIn({ name, createdAt }, zones)).toBe(name)
})
