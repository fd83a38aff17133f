import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestUser } from '../support/installation'
import { openPage, sendForm } from '../support/page'
import { useInstallation } from '../support/shared-installation'

// The first provider is the preview renderer, and `fal` one of MORE_VIDEO_PROVIDERS.

const product = useInstallation({
  env: {
    VIDEO_DURATION_SECONDS: '8',
    MORE_VIDEO_PROVIDERS: 'fal',
    FAL_VIDEO_PROVIDER: 'tasks',
    FAL_TASKS_PROFILE: 'fal',
    FAL_TASKS_MODEL: 'fal-ai/kling-video/v3/standard/text-to-video',
    FAL_TASKS_SOUND: 'false',
    FAL_VIDEO_DURATION_SECONDS: '5',
    FAL_VIDEO_PROVIDER_TOKEN: 'fal-key-of-the-tests',
  },
})
let admin: TestUser
beforeAll(async () => {
  admin = await product.user({ role: 'admin' })
})
beforeEach(() => product.db.query('delete from end_counts'))
afterEach(() => product.db.query('delete from business_settings'))

const PAGE = '/admin/plans'
const STARTER = {
  intent: 'plan',
  plan: 'Starter',
  rupees: '200',
  dollars: '2',
  videosPerDay: '20',
  videos: '1',
  delaySeconds: '90',
  support: '24/7',
  extras: '',
  place: '1',
  isOffered: 'on',
}
const textOf = async (page: string) => (await openPage(admin, page)).text

describe('issue 52.4: what a video costs at each provider', () => {
  const setCosts = (amount: string, fal: string, currency = 'USD') =>
    sendForm(admin, PAGE, { intent: 'video-cost', amount, 'amount-fal': fal, currency })

  test('a plan pays for the videos of its own provider, and the page compares with the other', async () => {
    expect((await setCosts('0.05', '0.20')).text).toContain('Cost saved')
    const route = { ...STARTER, route: 'fal first' }
    expect((await sendForm(admin, PAGE, route)).text).toContain('Starter saved')
    const text = await textOf(PAGE)
    expect(text).toContain('At 0.20 USD a video, Starter loses money from video 11 of a month.')
    expect(text).toContain('At 0.05 USD a video, Professional loses money from video 81')
    // Before a stand-in is chosen, the page says what a video costs there.
    expect(text).toContain('A video costs 0.05 USD at local, 0.20 USD at fal.')
    expect(text).toContain('All at fal, 0.20 USD')
    expect(await textOf(`${PAGE}?amount=0.20&currency=USD`)).toContain(
      'At 0.20 USD a video, Professional loses money from video 21',
    )
  })

  test('one without a cost has that of the first; without that one nothing is stored', async () => {
    await setCosts('0.05', '')
    expect(await textOf(PAGE)).not.toContain('A video costs')
    const refused = await setCosts('', '0.20')
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('Please enter the cost at the first provider as well')
    expect((await setCosts('0.05', 'many')).status).toBe(400)
    expect((await setCosts('', '')).text).toContain('Cost saved')
    expect(await textOf('/admin/activity')).toContain('0.05 USD')
  })

  test('the overview adds up each delivery at the cost of its provider, and says which made how many', async () => {
    await setCosts('0.05', '0.20')
    await product.db.query(
      `insert into end_counts (starts_at, slot, provider, delivered, times)
       select date_bin('15 minutes', engine_now(), 'epoch'), 0, provider, n, array_fill(0, array[56])
       from (values ('', 10), ('local', 90), ('fal', 25), ('gone', 100)) as made(provider, n)`,
    )
    const key = await product.db.query<{ id: string }>(
      `insert into credentials (id, provider, kind, account_scope, account, secret_cipher, fingerprint, mask, cost_per_video)
       values (gen_random_uuid(), 'fal', 'static-bearer', 'x', 'x', '\\x00', 'costs', 'm', 0.1) returning id`,
    )
    await product.db.query(
      `insert into credential_days (credential_id, day, delivered) values ($1, engine_now()::date, 5)`,
      [key.rows[0]?.id],
    )
    const text = await textOf('/admin/overview')
    // 200 at 0.05; 20 at 0.20 and 5 at 0.10.
    expect(text).toContain('local: 200 videos, 10.00 USD fal: 25 videos, 4.50 USD')
    expect(text).toContain('14.50 USD in 30 days')
    expect(text).toContain('0.00 USD kept, 14.50 cost')
    await product.db.query(`delete from credential_days`)
    await product.db.query(`delete from credentials where fingerprint = 'costs'`)
  })
})

describe('issue 52.5: what a plan includes is said where it is not the specification’s clip', () => {
  const OFFER = 'Videos: 5 seconds, without sound, made by kling-video v3 standard'

  test('on its card and the create screen, and before an administrator names a stand-in', async () => {
    expect(await textOf('/pricing')).not.toContain('Videos:')
    const before = await product.user({ plan: 'Starter' })
    await sendForm(admin, PAGE, { ...STARTER, route: 'fal' })
    const pricing = await textOf('/pricing')
    expect(pricing.split(OFFER)).toHaveLength(2)
    expect(pricing.indexOf(OFFER)).toBeLessThan(pricing.indexOf('120 videos per day'))
    expect(await textOf(PAGE)).toContain('Videos of fal: 5 seconds, without sound.')
    // Accounts keep what they have, until they are given what the plan says now.
    const screen = async () => (await openPage(before, '/app')).text
    expect(await screen()).not.toContain('Videos:')
    await sendForm(admin, PAGE, { intent: 'plan-route', plan: 'Starter' })
    expect(await screen()).toContain(OFFER)
    await product.db.query(`update users set route = 'first'`)
  })

  test('a plan of the first provider says nothing, also with another one as its stand-in', async () => {
    await sendForm(admin, PAGE, { ...STARTER, route: 'first fal' })
    expect(await textOf('/pricing')).not.toContain('Videos:')
  })
})

describe('issue 52.5: a plan says how many of the videos a day one video counts as', () => {
  test('on its card, on the screens of who has it, in calls, and nowhere at 1', async () => {
    expect(await textOf('/pricing')).not.toContain('counts as')
    const before = await product.user({ plan: 'Starter', video_limit: 20 })
    const refused = await sendForm(admin, PAGE, { ...STARTER, clipUnits: '21' })
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('Cannot be more than the videos per day'),
    ])
    await sendForm(admin, PAGE, { ...STARTER, clipUnits: '3' })
    const pricing = await textOf('/pricing')
    expect(pricing).toContain('20 videos per day Each video counts as 3, so 6 a day')
    expect(pricing).toContain('6 videos in about')
    expect(await textOf(PAGE)).toContain('20 videos a day, each video counts as 3')
    await admin.post('/api/admin/users/quick-create', { phone: '923331112299', plan: 'Starter' })
    const { rows } = await product.db.query(
      `select clip_units as units from users where username = '923331112299'`,
    )
    expect(rows).toEqual([{ units: 3 }])
    expect((await openPage(before, '/app')).text).not.toContain('counts as')
    await sendForm(admin, PAGE, { intent: 'plan-route', plan: 'Starter' })
    const screen = (await openPage(before, '/app')).text
    expect(screen).toContain('6 videos remaining today')
    expect(screen).toContain('each video counts as 3')
    expect((await openPage(before, '/usage')).text).toContain('20, each video counts as 3')
    await before.post('/api/videos/generate', { prompt: 'a kite', aspectRatio: 'portrait' })
    expect((await openPage(before, '/usage')).text).toContain(
      '3 of 20 videos used today, 5 remaining.',
    )
    expect((await openPage(before, '/usage')).text).toContain('3 reserved while it is being made')
    const changes = await before.get('/api/videos/changes')
    expect(changes.body).toMatchObject({ quota: { used: 3, remaining: 5, clipUnits: 3 } })
    expect(await textOf(`/admin/users/${before.userId}`)).toContain('each video counts as 3')
  })
})
