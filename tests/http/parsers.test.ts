import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { parseForm } from '../../app/http/forms/form-data.server'
import { PARSINGS, posted } from '../support/parsers'
import { slowTest } from '../support/slow'

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
