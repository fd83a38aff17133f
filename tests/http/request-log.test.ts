import { expect, test } from 'vitest'
import { useInstallation } from '../support/shared-installation'
import { until } from '../support/wait'

const product = useInstallation({ env: { LOG_LEVEL: 'info' } })

test('the log has a line per request, without what was searched for, and none for a poll that found nothing new', async () => {
  const user = await product.user()
  const poll = '/api/videos/changes'
  const headers = { 'if-none-match': (await user.send('GET', poll)).headers.get('etag') ?? '' }
  expect((await user.send('GET', poll, { headers })).status).toBe(304)
  await user.send('GET', '/healthz')
  await user.send('GET', '/build/none.js')
  await user.send('GET', '/dashboard?search=harbour')
  await user.send('GET', '/api/videos/none')
  const lines = () => product.web.output().split('\n')
  const requests = () => lines().filter((line) => line.includes('"msg":"request"'))
  await until('its lines', () => requests().length >= 4)
  // A line is written when a response has been sent completely, which may be after the next one.
  expect(requests()).toHaveLength(4)
  for (const wanted of [
    /"method":"POST","path":"\/api\/auth\/register","status":201/,
    /"path":"\/api\/videos\/changes","status":200,"userId":"[\w-]{36}"/,
    /"method":"GET","path":"\/dashboard","status":200/,
    /"path":"\/api\/videos\/none","status":405/,
  ])
    expect(requests().filter((line) => wanted.test(line))).toHaveLength(1)
})
