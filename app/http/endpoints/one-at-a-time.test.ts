import { expect, test } from 'vitest'
import { oneAtATime } from './one-at-a-time.server'

test('several files are read one piece at a time, and a slow reader does not delay the others', async () => {
  let reading = 0
  let most = 0
  const closed: string[] = []
  async function* pieces(name: string) {
    try {
      for (let n = 1; n <= 3; n++) {
        most = Math.max(most, ++reading)
        await new Promise(setImmediate)
        reading--
        yield `${name}${n}`
      }
    } finally {
      closed.push(name)
    }
  }
  // Takes one piece and does not request another.
  const slow = oneAtATime(pieces('s'))
  expect((await slow.next()).value).toBe('s1')
  const read = async (name: string) => {
    const got: string[] = []
    for await (const piece of oneAtATime(pieces(name))) got.push(piece)
    return got
  }
  expect(await Promise.all([read('a'), read('b')])).toEqual([
    ['a1', 'a2', 'a3'],
    ['b1', 'b2', 'b3'],
  ])
  expect(most).toBe(1)
  await slow.return(undefined)
  expect(closed.sort()).toEqual(['a', 'b', 's'])
})
