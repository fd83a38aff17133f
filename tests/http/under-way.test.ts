import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Pulse, UnderWay } from '../../app/domain/videos/gallery/pulse'
import { cardsOf, textOf } from '../support/html'
import { startInstallation, type Installation } from '../support/installation'
import { findViolations } from '../support/invariants'
import { makeVideos, takeBack, tellProgress } from '../support/videos'

let product: Installation
type User = Awaited<ReturnType<Installation['user']>>

beforeAll(async () => {
  product = await startInstallation()
})
afterAll(() => product.remove())
afterEach(async () => expect(await findViolations(product.db)).toEqual({}))

const order = async (user: User, prompt: string) =>
  (await user.post<{ id: string }>('/api/videos/generate', { prompt })).body.id
const hold = ({ userId }: User, reason: string) =>
  product.db.query(
    `update line_entries set state = 'held', hold_reason = $2, wake_at = now() + interval '1 minute'
     where user_id = $1`,
    [userId, reason],
  )
const dashboardOf = async (user: User) => (await user.send('GET', '/dashboard')).text()

test('U-MYV-6: My Videos shows the progress of each video, and what delays the others', async () => {
  const user = await product.user()
  await makeVideos(product, user.userId, [{ prompt: 'Done before' }])
  const making = await order(user, 'Being made')
  await order(user, 'Next one')
  await tellProgress(product, making, 45)
  const told = await dashboardOf(user)
  expect(textOf(told)).not.toContain('on hold')
  const [next = '', made = '', before = ''] = cardsOf(told)
  expect(textOf(next)).toContain('Queued')
  expect(textOf(made)).toContain('45%')
  expect(made).toMatch(/<progress aria-label="This video"[^>]* value="45"/)
  expect(before).not.toContain('<progress')
  const own = await (await user.send('GET', `/videos/${making}`)).text()
  expect(own).toMatch(/<progress aria-label="This video"[^>]* value="45"/)

  await tellProgress(product, making, null)
  await hold(user, 'token')
  const held = textOf(await dashboardOf(user))
  expect(held).toMatch(/\d+ s of about \d+ s|longer than usual/)
  expect(held).toContain('All access to the video service is in use at the moment.')
  expect(held).toMatch(/Next try about .*\(UTC\)/)
  await takeBack(product, making)
})

test('A-VID-17: All Videos shows the progress of each video, of any user', async () => {
  const [user, admin] = [await product.user(), await product.user({ role: 'admin' })]
  const id = await order(user, 'Being made for somebody')
  await tellProgress(product, id, 30)
  const page = await (await admin.send('GET', '/admin/videos')).text()
  const card = cardsOf(page).find((one) => textOf(one).includes('Being made for somebody')) ?? ''
  expect(textOf(card)).toContain('30%')
  await takeBack(product, id)
})

test('a 304 of My Videos reports the progress while there is work in progress', async () => {
  const user = await product.user()
  const id = await order(user, 'A slow river')
  await tellProgress(product, id, 10)
  const ask = async (etag = '', query = 'screen=videos') => {
    const path = `/api/videos/changes?since=0&${query}`
    const { status, headers, body } = await user.get<{ underWay?: UnderWay } | undefined>(path, {
      'if-none-match': etag,
    })
    const pulse = JSON.parse(headers.get('x-pulse') ?? 'null') as Pulse | null
    return { status, pulse, body, etag: headers.get('etag') ?? '' }
  }
  const first = await ask()
  expect(first).toMatchObject({ status: 200, pulse: null })
  expect(first.body?.underWay).toMatchObject({ holds: [], making: [{ id, percent: 10 }] })

  await tellProgress(product, id, 60)
  const next = await ask(first.etag)
  expect(next).toMatchObject({ status: 304, pulse: { holds: [], making: [{ id, percent: 60 }] } })
  // The other polls have no pulse.
  expect((await ask(first.etag, 'screen=create')).pulse).toBeNull()
  expect((await ask(first.etag, '')).pulse).toBeNull()

  await takeBack(product, id)
  await user.call('DELETE', `/api/videos/${id}`)
  const idle = await ask()
  expect(await ask(idle.etag)).toMatchObject({ status: 304, pulse: null })
})
