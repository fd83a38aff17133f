import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { parseForm } from '../../app/http/forms/form-data.server'
import { PARSINGS, posted } from '../support/parsers'

// One request is at most a megabyte. Whoever reads it may take time that grows with its length, not
// with the square of it: a web process does one thing at a time. A megabyte squared is 10^12 steps,
// which take minutes; the limit below is a thousand times what a linear reader needs.
// `npm run bench -- --only B14` measures how the time grows.

const MEGABYTE = 1_000_000

test.each(PARSINGS)('$name: a megabyte is read', { timeout: 20_000 }, async ({ read, make }) => {
  await read(make(MEGABYTE))
})

describe('forms', () => {
  test('a place far behind in a list takes no room', async () => {
    const data = await posted('a[4294967294]=1&a[1e9]=2', 'application/x-www-form-urlencoded')
    expect(parseForm(z.object({ a: z.string().optional() }), data)).toEqual({ ok: true, value: {} })
  })

  test('what a form may carry for its library of widgets changes nothing', async () => {
    const intent = JSON.stringify({ type: 'insert', payload: { name: 'a', index: 1e9 } })
    const body = new URLSearchParams({ __intent__: intent, __state__: '{', a: 'b' }).toString()
    const data = await posted(body, 'application/x-www-form-urlencoded')
    expect(parseForm(z.object({ a: z.string() }), data)).toEqual({ ok: true, value: { a: 'b' } })
  })
})
