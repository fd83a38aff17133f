import { describe, expect } from 'vitest'
import { z } from 'zod'
import { parseForm } from '../../app/http/forms/form-data.server'
import { LIMITED, PARSINGS, posted } from '../support/parsers'
import { slowTest, test } from '../support/slow'

// A request is at most one megabyte. A parser may take time linear in its length, but not
// quadratic, because a web process does one thing at a time. A quarter of it squared is 6 × 10^10 steps,
// which take a minute. The limit below is hundreds of times what a linear parser needs.
// `npm run bench -- --only B14` measures how the time grows.

const LENGTH = 250_000

slowTest.each(PARSINGS)(
  '$name: parses a quarter of a megabyte',
  { timeout: 20_000 },
  async ({ read, make }) => {
    await read(make(LENGTH))
  },
)

/** What takes time per character or line, and is therefore not done with a text beyond its limits. */
const WORK = [
  'split',
  'replace',
  'replaceAll',
  'match',
  'matchAll',
  'normalize',
  'trim',
  'toLowerCase',
] as const

/** Returns the length of the longest text on which a call worked, with what the call returned. */
async function worked(call: () => unknown): Promise<{ longest: number; result: unknown }> {
  let longest = 0
  const real = WORK.map(
    (name) => [name, Object.getOwnPropertyDescriptor(String.prototype, name)!] as const,
  )
  for (const [name, { value }] of real)
    Object.defineProperty(String.prototype, name, {
      configurable: true,
      writable: true,
      value(this: string, ...args: unknown[]) {
        longest = Math.max(longest, this.length)
        const done: unknown = Reflect.apply(value as () => unknown, this, args)
        return done
      },
    })
  try {
    return { result: await call(), longest }
  } finally {
    for (const [name, own] of real) Object.defineProperty(String.prototype, name, own)
  }
}

describe('A4: a text beyond its limits is refused before anything is done with it', () => {
  test.each(LIMITED)('$name: $limit', async ({ read, worst, most, words }) => {
    const { longest, result } = await worked(() => read(worst))
    expect(JSON.stringify(result)).toContain(words)
    expect(longest).toBeLessThanOrEqual(most)
  })

  test.each(LIMITED)('$name: what is within its limits is not refused for them', async (one) => {
    expect(JSON.stringify(await one.read(one.within))).not.toContain(one.words)
  })
})

describe('forms', () => {
  test('a huge index in a list allocates no memory', async () => {
    const data = await posted('a[4294967294]=1&a[1e9]=2', 'application/x-www-form-urlencoded')
    expect(parseForm(z.object({ a: z.string().optional() }), data)).toEqual({ ok: true, value: {} })
  })

  test('A4: a text has at most 20,000 lines, whatever ends them, counted before it is split', async () => {
    const type = 'application/x-www-form-urlencoded'
    const send = (text: string) => posted(`any=${encodeURIComponent(text)}`, type)
    for (const end of ['\n', '\r\n', '\r']) {
      expect((await send(end.repeat(19_999))).has('any')).toBe(true)
      await expect(send(end.repeat(20_000))).rejects.toMatchObject({ status: 400 })
    }
  })

  test('the form library’s own fields are ignored', async () => {
    const intent = JSON.stringify({ type: 'insert', payload: { name: 'a', index: 1e9 } })
    const body = new URLSearchParams({ __intent__: intent, __state__: '{', a: 'b' }).toString()
    const data = await posted(body, 'application/x-www-form-urlencoded')
    expect(parseForm(z.object({ a: z.string() }), data)).toEqual({ ok: true, value: { a: 'b' } })
  })
})
