import { describe, expect, test } from 'vitest'
import { newId } from '~/lib/ids'
import { isTicked, packIds, readUserSelection, selectionParams } from './user-selection'

const ids = Array.from({ length: 6 }, newId)
const [a, b, c, d, e, f] = ids as [string, string, string, string, string, string]
const read = (query: Record<string, string>, ticked: readonly string[] = []) => {
  const params = new URLSearchParams(query)
  for (const id of ticked) params.append('ids', id)
  return readUserSelection(params)
}

describe('the users that are ticked', () => {
  test('P14: ticks of other pages stay, those of this page are as its boxes are', () => {
    const onFirst = read({ shown: packIds([a, b, c]) }, [a, b])
    expect(onFirst).toEqual({ scope: 'chosen', picked: [a, b] })
    const onSecond = read({ ...selectionParams(onFirst), shown: packIds([d, e, f]) }, [f])
    expect(onSecond.picked).toEqual([a, b, f])
    const back = read({ ...selectionParams(onSecond), shown: packIds([a, b, c]) }, [b])
    expect(back.picked).toEqual([f, b])
  })

  test('P4: whoever is unticked after all were selected is left out, on every page', () => {
    const first = read({ scope: 'filter', shown: packIds([a, b, c]) }, [a, c])
    expect(ids.map((id) => isTicked(first, id))).toEqual([true, false, true, true, true, true])
    const second = read({ ...selectionParams(first), shown: packIds([d, e, f]) }, [d, e])
    expect(second).toEqual({ scope: 'filter', picked: [b, f] })
  })

  test('an address that names users picks them; one that is no list picks nobody', () => {
    expect(read({}, [a, 'x']).picked).toEqual([a])
    expect(read({ scope: 'filter' }, [a]).picked).toEqual([])
    expect(read({ picked: '💥%00'.repeat(40) }).picked).toEqual([])
  })
})
