import { beforeAll, expect } from 'vitest'
import type { TestUser } from '../support/installation'
import { submitForm } from '../support/page'
import { useInstallation } from '../support/shared-installation'
import { slowTest, test } from '../support/slow'

// Values that are cheap to send but expensive to parse are counted first, so that no request delays
// others.

const product = useInstallation()
let user: TestUser

beforeAll(async () => {
  user = await product.user({ plan: 'Enterprise', video_limit: 100 })
})

const many = (n: number) => Array.from({ length: n }, (_, i) => String(i))

slowTest(
  'a JSON body has at most 50,000 values at any depth; punctuation in strings does not count',
  async () => {
    const refusal = { error: 'The body has more than 50,000 values', code: 'BAD_INPUT' }
    for (const body of [many(50_001).join(), '[', '{"a":']) {
      const text = body.length < 10 ? body.repeat(50_001) : `{"prompts":[${body}]}`
      const headers = { 'content-type': 'application/json' }
      const response = await user.send('POST', '/api/videos/bulk-generate', { body: text, headers })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject(refusal)
    }
    const numbers = { prompts: many(49_000).map(Number) }
    const refused = await user.post<{ fields: object }>('/api/videos/bulk-generate', numbers)
    expect(refused.status).toBe(400)
    expect(Object.keys(refused.body.fields)).toHaveLength(100)
    const prompts = [`\\",[{${','.repeat(9_000)}`, ...many(20).map((n) => n + '[{",'.repeat(2_400))]
    const taken = await user.post('/api/videos/bulk-generate', { prompts })
    expect(taken.status).toBe(201)
  },
)

const nobody = '00000000-0000-4000-8000-000000000000'

test('a form has at most 200 field names; thousands of fields may have the same name', async () => {
  const send = (names: readonly string[]) => {
    const ids = names.map((name): [string, string] => [name, nobody])
    return submitForm(user, '/app', [['intent', 'delete-selected'], ...ids])
  }
  expect((await send(['ids', ...many(197)])).status).toBe(303)
  expect((await send(many(10_000).map(() => 'ids'))).status).toBe(303)
  expect((await send(['ids', ...many(198)])).status).toBe(400)
  const parts = new FormData()
  for (const name of many(201)) parts.append(name, 'x')
  const headers = { 'sec-fetch-site': 'same-origin' }
  expect((await user.send('POST', '/app', { body: parts, headers })).status).toBe(400)
})
