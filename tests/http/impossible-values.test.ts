import { beforeAll, describe, expect, test } from 'vitest'
import { useInstallation } from '../support/shared-installation'
import type { TestUser } from '../support/installation'
import { submitForm } from '../support/page'

// Values of the right form that PostgreSQL does not accept: they are refused or count as missing,
// and cause no server error.

const product = useInstallation()
let admin: TestUser
beforeAll(async () => {
  admin = await product.user({ role: 'admin' })
})

const ID = '0190b0b0-0000-7000-8000-000000000000'

describe('an address typed by hand shows its page', () => {
  test.each([
    '/admin/activity?from=2026-02-30',
    '/admin/activity?to=0000-01-01',
    `/admin/videos?page=2&after=2026-02-30T00:00:00.000Z~${ID}`,
    `/admin/videos/trash?after=0000-01-01T00:00:00.000Z~${ID}`,
    '/usage?day=0000-01-01',
    '/usage?day=2026-02-30',
  ])('%s', async (path) => {
    const { status } = await admin.send('GET', path)
    expect(status).toBe(200)
  })

  test('/resources/batches/ID/-9999999999', async () => {
    const response = await admin.send('GET', `/resources/batches/${ID}/-9999999999`)
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toContain(`batch=${ID}`)
  })
})

test('a token that cannot be stored is refused when it is assigned', async () => {
  await product.user()
  const response = await admin.post('/api/admin/users/assign-tokens', { tokens: ['\u0000secret'] })
  expect(response.status).toBe(400)
  expect(response.body).toMatchObject({ code: 'BAD_INPUT', error: 'This is not a token' })
})

test('stopping a change of many videos by an impossible id is refused', async () => {
  const stop = { intent: 'stop-change', on: '\u0000' }
  const response = await submitForm(admin, '/admin/videos', stop)
  expect(response.status).toBe(409)
})
