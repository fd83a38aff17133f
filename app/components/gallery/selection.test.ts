import { expect, test } from 'vitest'
import type { FilterValues } from '~/domain/videos/types'
import { fieldsOf, isTicked, NONE, sizeOf, withTicks, type Selection } from './selection'

const filters: FilterValues = { status: 'completed', aspectRatio: 'all', search: '' }
const others: FilterValues = { ...filters, search: 'wheat' }
const card = (id: string, createdAt = '2026-01-01T00:00:00.000Z') => ({
  id,
  createdAt,
  prompt: id,
  videoUrl: `/media/${id}.mp4`,
  status: 'completed' as const,
  starred: false,
})
const ticks = (selection: Selection, ids: string, isOn = true, of = filters) =>
  withTicks(
    selection,
    Array.from(ids, (id) => card(id)),
    { isOn, filters: of },
  )

test('ticks are kept over the lists with other filters', () => {
  const both = ticks(ticks(NONE, 'ab'), 'c', true, others)
  expect(fieldsOf(both, 'mine').ids).toEqual(['a', 'b', 'c'])
  expect(isTicked(both, card('a'), others)).toBe(true)
  expect(sizeOf(ticks(both, 'bx', false))).toBe(2)
})

test('all that match are those of one moment, without those that were unticked', () => {
  const until = '2026-01-02T00:00:00.000Z'
  const all: Selection = { kind: 'all', until, count: 3069, filters, except: [] }
  const rest = ticks(all, 'b', false)
  expect(sizeOf(rest)).toBe(3068)
  expect(
    [card('a'), card('b'), card('c', '2026-01-03T00:00:00.000Z')].map((one) =>
      isTicked(rest, one, filters),
    ),
  ).toEqual([true, false, false])
  expect(isTicked(rest, card('a'), others)).toBe(false)
  expect(fieldsOf(rest, 'mine')).toEqual({
    choice: 'selected',
    scope: 'mine',
    status: 'completed',
    aspectRatio: 'all',
    all: until,
    except: ['b'],
  })
  expect(sizeOf(ticks(rest, 'b'))).toBe(3069)
  // A tick in another list begins anew.
  expect(ticks(rest, 'x', true, others)).toMatchObject({ kind: 'some', picked: [{ id: 'x' }] })
})
