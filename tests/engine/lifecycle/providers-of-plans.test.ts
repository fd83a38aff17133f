import { beforeEach, expect, test } from 'vitest'
import type { Capabilities } from '../../../app/platform/providers/port'
import { changePlan, giveRoute } from '../../../app/domain/administration/change-business.server'
import { createUserInput } from '../../../app/domain/administration/schemas'
import { createUser } from '../../../app/domain/administration/users/create-user.server'
import { editUser } from '../../../app/domain/administration/users/edit-user.server'
import { cancelBatch } from '../../../app/domain/batches/cancel-batch.server'
import { regenerateSelected } from '../../../app/domain/batches/regenerate-as-admin.server'
import { countOtherRoutes } from '../../../app/domain/business/settings.server'
import { boundTo, boundToNamed } from '../../../app/domain/providers.server'
import { storePersonalToken } from '../../../app/domain/administration/users/personal-token.server'
import { storeDefaultCredential } from '../../../app/domain/tokens/credentials.server'
import { addPoolToken } from '../../../app/domain/tokens/pool.server'
import { removeToken } from '../../../app/domain/tokens/remove-tokens.server'
import { LASTING } from '../../../app/domain/alarms/rules'
import { findingsOf } from '../../../app/domain/health/findings'
import { getSetup } from '../../../app/domain/health/setup.server'
import { getSystemFacts } from '../../../app/domain/health/status.server'
import { listHolds } from '../../../app/domain/videos/gallery/progress.server'
import { DEFAULT_PLANS } from '../../../app/domain/plans/catalogue'
import { bulk, bulkOverDays, generate, videosOf } from '../../support/engine/actions'
import { openFakeProvider, type FakeProvider } from '../../support/engine/fake-provider'
import { closedGates } from '../../support/engine/make-video'
import { useFreshEngine } from '../../support/engine/shared-engine'

// `fake` is the first provider, and `fal` one of MORE_VIDEO_PROVIDERS.

const MINUTE = 60_000
const { engine, start } = useFreshEngine()
let fal: FakeProvider

async function open(
  can: Partial<Capabilities> = {},
  ofFal = can,
  env: Record<string, string> = {},
): Promise<void> {
  await start({ can, env })
  fal = {
    ...openFakeProvider({ now: engine.clock.nowHere, can: ofFal }),
    kind: 'fal',
    adapter: 'fake',
    model: 'fal-model',
  }
  Object.assign(engine.deps, { otherProviders: [fal] })
  await engine.restart()
}
beforeEach(() => open())

const orders = () => [engine.fake, fal].map((provider) => provider.entries().length)
const statuses = async (user: Parameters<typeof videosOf>[1]) =>
  (await videosOf(engine, user)).map(({ status }) => status)
/** The stand-in is named by plans, and while nobody waits by these alone. */
const sellWithStandIn = () =>
  engine.pool.query(
    `insert into business_settings (name, value, changed_at) values ('plan.Enterprise', $1, now())`,
    [{ ...DEFAULT_PLANS.Enterprise, route: 'first fal' }],
  )
const down = [{ when: { op: 'submit' as const }, do: { status: 599 } }]

test('issue 52.4: new orders go to the provider of the plan, and the video says which model made it', async () => {
  const one = await engine.user({ plan: 'Business', route: 'fal' })
  const other = await engine.user({ plan: 'Business' })
  await generate(one)
  await generate(other)
  await engine.settle()
  expect(orders()).toEqual([1, 1])
  const models = await engine.pool.query<{ model: string }>(
    `select model from videos where user_id = any($1) order by user_id = $2`,
    [[one.actor.id, other.actor.id], other.actor.id],
  )
  expect(models.rows.map(({ model }) => model)).toEqual(['fal-model', engine.fake.model])
})

test('issue 52.4: a provider that is down holds only the videos of its own plans', async () => {
  const one = await engine.user({ plan: 'Enterprise', route: 'fal' })
  const other = await engine.user({ plan: 'Enterprise' })
  fal.play({ rules: down })
  for (let i = 0; i < 8; i++) await generate(one)
  await engine.advance(MINUTE)
  for (let i = 0; i < 3; i++) await generate(other)
  await engine.advance(2 * MINUTE)
  expect(await statuses(other)).toEqual(['completed', 'completed', 'completed'])
  expect(orders()).toEqual([3, 0])
  expect(await listHolds(engine.deps, one.actor.id)).not.toEqual([])
  expect(await listHolds(engine.deps, other.actor.id)).toEqual([])
  fal.play({})
  await engine.settle()
  expect(orders()).toEqual([3, 8])
})

test('issue 52.4: without a provider of the plan the first one gets the orders', async () => {
  const user = await engine.user({ plan: 'Business', route: 'gone' })
  await generate(user)
  await engine.settle()
  expect(orders()).toEqual([1, 0])
})

test('issue 52.4: the first is dead at 03:00 with 40 waiting: all are ordered at the second in time, none twice; and back', async () => {
  engine.fake.play({ rules: down })
  const users = await Promise.all(
    Array.from({ length: 4 }, () => engine.user({ plan: 'Enterprise', route: 'first fal' })),
  )
  for (const user of users) for (let i = 0; i < 10; i++) await generate(user)
  await sellWithStandIn()
  await engine.pool.query(
    `insert into business_settings (name, value, changed_at) values ('videoCost', $1, now())`,
    [{ amount: 24, currency: 'USD', others: { fal: 5 } }],
  )
  await engine.advance(5 * MINUTE - 30_000)
  expect(orders()).toEqual([0, 0])
  await engine.advance(40_000)
  expect(orders()).toEqual([0, 40])
  const facts = await getSystemFacts(engine.deps)
  expect(facts.asides).toMatchObject([{ kind: 'fake', standIns: ['fal'] }])
  const finding = findingsOf(facts).find(({ area }) => area === 'Stand-in')
  expect(finding?.text).toMatch(
    /^fake has taken no orders for .*: new ones go to fal\. A video costs 0\.24 USD at fake, 0\.05 USD at fal\.$/,
  )
  engine.fake.play({})
  const [user] = users
  if (!user) throw new Error('no user')
  // Its last pause ends, whose length is random. The probe is the next order, and delivers.
  await engine.advance(MINUTE)
  await generate(user)
  await engine.advance(MINUTE)
  await generate(user)
  await engine.settle()
  expect((await getSystemFacts(engine.deps)).asides).toEqual([])
  for (const each of users) expect(new Set(await statuses(each))).toEqual(new Set(['completed']))
  expect(orders()).toEqual([2, 40])
  const made = await engine.pool.query(
    `select provider, sum(delivered)::int as n from end_counts group by 1 order by 1`,
  )
  expect(made.rows).toEqual([
    { provider: 'fake', n: 2 },
    { provider: 'fal', n: 40 },
  ])
})

test('issue 52.3: tokens are of one provider; where it stands in, they are lent', async () => {
  await engine.close()
  await open({ needsCredential: true })
  const admin = await engine.admin()
  await addPoolToken(admin, 'token-of-first')
  await addPoolToken(admin, 'token-of-fal', { provider: 'fal' })
  const user = await engine.user({ plan: 'Business', route: 'first fal' })
  await generate(user)
  await engine.settle()
  const own = () =>
    engine.pool
      .query<{ provider: string }>(
        `select provider from users join credentials on credentials.id = credential_id where users.id = $1`,
        [user.actor.id],
      )
      .then(({ rows }) => rows.map(({ provider }) => provider))
  expect(await own()).toEqual(['fake'])
  engine.fake.play({ tokens: { 'token-of-first': { dead: true } } })
  await generate(user)
  await engine.advance(8 * MINUTE)
  expect(orders()).toEqual([1, 1])
  expect(new Set(fal.calls().map(({ token }) => token))).toEqual(new Set(['token-of-fal']))
  expect(await own()).toEqual(['fake'])
})

test('issue 52.5: accounts and running batches keep the providers that they have', async () => {
  const admin = await engine.admin()
  const user = await engine.user({ plan: 'Starter', speed_limit: 1, video_generation_speed: 60 })
  await bulk(user, 3)
  await engine.advance(10_000)
  await changePlan(admin, 'Starter', { ...DEFAULT_PLANS.Starter, route: 'fal' })
  expect(await countOtherRoutes(engine.deps.db)).toEqual({ Starter: 1 })
  expect(await giveRoute(admin, 'Starter')).toBe(1)
  await generate(user)
  await engine.settle()
  expect(new Set(await statuses(user))).toEqual(new Set(['completed']))
  expect(orders()).toEqual([3, 1])
})

test('issue 52.5: a plan brings its providers when it is sold, and back with the plan before', async () => {
  const admin = await engine.admin()
  await changePlan(admin, 'Business', { ...DEFAULT_PLANS.Business, route: 'fal first' })
  const input = createUserInput.parse({
    phone: '923001234567',
    password: 'Passw0rd!',
    plan: 'Business',
  })
  const { id } = (await createUser(admin, input)).user
  const routeOf = async () => {
    const { rows } = await engine.pool.query<{ route: string }>(
      'select route from users where id = $1',
      [id],
    )
    return rows.map(({ route }) => route)
  }
  expect(await routeOf()).toEqual(['fal first'])
  await editUser(admin, { id, plan: 'Starter' })
  expect(await routeOf()).toEqual(['first'])
})

test.each([
  ['a picture', { takesPictures: false }],
  ['a picture for its end', { takesEndPictures: false }],
])('issue 52.4: a video with %s never goes to a stand-in that takes none', async (_what, can) => {
  await engine.close()
  await open({}, can)
  const user = await engine.user({ plan: 'Enterprise', route: 'first fal' })
  engine.fake.play({ rules: down })
  for (let i = 0; i < 6; i++) await generate(user)
  await engine.advance(MINUTE)
  // While the first one is closed, so that the picture, which is not stored, is not read.
  const { id } = await generate(user, 'with a picture')
  await engine.pool.query(
    `with picture as (insert into order_pictures (id, file_key, sha256, created_at)
       values (gen_random_uuid(), 'none', 'none', now()) returning id)
     insert into video_pictures (video_id, picture_id, end_picture_id) select $1, id, id from picture`,
    [id],
  )
  await engine.advance(6 * MINUTE)
  expect(orders()).toEqual([0, 6])
  const { rows } = await engine.pool.query(
    `select 1 from attempts where video_id = $1 and provider = 'fal'`,
    [id],
  )
  expect(rows).toEqual([])
  await engine.pool.query('delete from video_pictures')
  await engine.pool.query('delete from order_pictures')
})

test('issue 52.4: an order that may have been accepted does not move', async () => {
  const rules = [{ when: { op: 'submit' as const }, do: { fault: 'drop-after-accept' as const } }]
  const user = await engine.user({ plan: 'Business', route: 'first fal' })
  engine.fake.play({ rules })
  await generate(user)
  await engine.advance(5_000)
  engine.fake.play({ rules: down })
  const other = await engine.user({ plan: 'Enterprise', route: 'first fal' })
  for (let i = 0; i < 8; i++) await generate(other)
  await engine.advance(7 * MINUTE)
  expect(orders()).toEqual([1, 8])
  engine.fake.play({})
  await engine.settle()
  expect(await statuses(user)).toEqual(['completed'])
  expect(orders()).toEqual([1, 8])
})

test('issue 52.4: a provider that dies while all its places are taken gets no order that would show it: its stand-in gets the rest', async () => {
  await engine.close()
  await open({ needsCredential: true, maxInFlight: 4 }, { needsCredential: true })
  const admin = await engine.admin()
  await addPoolToken(admin, 'token-of-first')
  await addPoolToken(admin, 'token-of-fal', { provider: 'fal' })
  const user = await engine.user({ plan: 'Enterprise', route: 'first fal' })
  engine.fake.play({ defaults: { generationMs: 30 * MINUTE } })
  for (let i = 0; i < 12; i++) await generate(user)
  await engine.advance(7 * MINUTE)
  // It is slow, and answers: that is no reason to order elsewhere.
  expect(orders()).toEqual([4, 0])
  engine.fake.play({ rules: [{ when: {}, do: { status: 599 } }] })
  await engine.advance(5 * MINUTE - 30_000)
  expect(orders()).toEqual([4, 0])
  // It is asked about its orders once a minute, and the stand-in's line starts slowly.
  await engine.advance(3 * MINUTE)
  expect(orders()).toEqual([4, 8])
  engine.fake.play({})
  await engine.advance(30 * MINUTE)
  await generate(user)
  await engine.settle()
  expect(orders()).toEqual([5, 8])
  expect(new Set(await statuses(user))).toEqual(new Set(['completed']))
  expect((await getSystemFacts(engine.deps)).asides).toEqual([])
})

test.each([
  ['its only token', { TOKEN_MAX_IN_FLIGHT: '4' }],
  ['the platform', { PLATFORM_MAX_IN_FLIGHT: '4' }],
])(
  'issue 52.4: the same while all places of %s are taken',
  async (_whose, env: Record<string, string>) => {
    await engine.close()
    await open({ needsCredential: true }, { needsCredential: true }, env)
    const admin = await engine.admin()
    await addPoolToken(admin, 'token-of-first')
    await addPoolToken(admin, 'token-of-fal', { provider: 'fal' })
    const user = await engine.user({ plan: 'Enterprise', route: 'first fal' })
    engine.fake.play({ defaults: { generationMs: 30 * MINUTE } })
    for (let i = 0; i < 7; i++) await generate(user)
    await engine.advance(2 * MINUTE)
    engine.fake.play({ rules: [{ when: {}, do: { status: 599 } }] })
    await engine.advance(9 * MINUTE)
    expect(orders()).toEqual([4, 3])
  },
)

test('issue 52.4: a provider whose places are all taken, and that says nothing for a minute, keeps its orders', async () => {
  await engine.close()
  await open({ maxInFlight: 1 })
  const slow = { defaults: { generationMs: 12 * MINUTE } }
  engine.fake.play(slow)
  const user = await engine.user({ plan: 'Enterprise', route: 'first fal' })
  for (let i = 0; i < 6; i++) await generate(user)
  await engine.advance(MINUTE)
  engine.fake.play({ ...slow, rules: [{ when: {}, do: { status: 599 } }] })
  await engine.advance(MINUTE)
  engine.fake.play(slow)
  await engine.advance(8 * MINUTE)
  expect(orders()).toEqual([1, 0])
  const { rows } = await engine.pool.query('select 1 from provider_gates where strikes > 0')
  expect(rows).toEqual([])
})

/** Whether administrators are told that nothing is ordered, and what the System page says of stand-ins. */
async function told(): Promise<{ nothingOrdered: boolean; standIn: string | undefined }> {
  const facts = await getSystemFacts(engine.deps)
  const findings = findingsOf(facts)
  const { areas, isOn } = LASTING.line
  return {
    nothingOrdered: findings.some(
      (finding) => areas.some((area) => area === finding.area) && isOn(finding, facts),
    ),
    standIn: findings.find(({ area }) => area === 'Stand-in')?.text,
  }
}

test('issue 52.4: where a provider and its stand-in are down, or one without a stand-in, it is told that nothing is ordered', async () => {
  await sellWithStandIn()
  const user = await engine.user({ plan: 'Enterprise', route: 'first fal' })
  engine.fake.play({ rules: down })
  for (let i = 0; i < 8; i++) await generate(user)
  await engine.advance(6 * MINUTE)
  for (let i = 0; i < 8; i++) await generate(user)
  fal.play({ defaults: { generationMs: 30 * MINUTE } })
  await engine.advance(10_000)
  expect(await told()).toMatchObject({ nothingOrdered: false })
  // A plan that has no stand-in.
  const alone = await engine.user({ plan: 'Business', route: 'first' })
  await generate(alone)
  await engine.advance(10_000)
  expect(await told()).toMatchObject({ nothingOrdered: true })
  await engine.pool.query(`update line_entries set route = 'first fal'`)
  fal.play({ rules: down })
  for (let i = 0; i < 8; i++) await generate(user)
  await engine.advance(30 * MINUTE)
  const { nothingOrdered, standIn } = await told()
  expect(nothingOrdered).toBe(true)
  expect(standIn).not.toContain('new ones go to')
})

test('issue 52.4: videos of two routes take turns at their provider', async () => {
  await engine.close()
  await open({ maxInFlight: 2 })
  const many = await engine.user({ plan: 'Enterprise', route: 'first' })
  const few = await engine.user({ plan: 'Enterprise', route: 'first fal' })
  engine.fake.play({ defaults: { generationMs: MINUTE } })
  for (let i = 0; i < 40; i++) await generate(many)
  await generate(few)
  await generate(few)
  // Chance decides which route is next: 30 times in a row it does not choose the same one.
  await engine.advance(16 * MINUTE)
  expect(await statuses(few)).toEqual(['completed', 'completed'])
  expect(await statuses(many)).toContain('pending')
  await engine.settle()
  expect(new Set(await statuses(many))).toEqual(new Set(['completed']))
})

test('issue 52: prompts of later days, also of a batch in line, show the model of their own provider', async () => {
  const user = await engine.user({
    plan: 'Starter',
    route: 'fal',
    video_limit: 2,
    speed_limit: 1,
    video_generation_speed: 120,
  })
  const own = { ...user, ...boundToNamed(engine.deps, 'fal') }
  await bulkOverDays(own, 4)
  const { batchId } = await bulkOverDays(own, 2, { queue: true })
  // At the start of a day, by the job, which knows the first provider.
  await engine.advance(16 * 60 * MINUTE + 30_000)
  const modelsOf = async (which: string) => {
    const { rows } = await engine.pool.query<{ model: string }>(
      `select model from videos where ${which}`,
    )
    return rows.map(({ model }) => model)
  }
  expect(await modelsOf('awaits_round')).toEqual(['fal-model'])
  await cancelBatch({ ...user, ...engine.deps }, batchId)
  expect(await modelsOf(`batch_id = '${batchId}'`)).toEqual(['fal-model', 'fal-model'])
})

test('issue 52: an administrator’s regeneration goes to the provider of the owner, also when it is sent again', async () => {
  const one = await engine.user({ plan: 'Business', route: 'fal' })
  const other = await engine.user({ plan: 'Business' })
  const ids = [await generate(one, 'first try fails'), await generate(other)].map(({ id }) => id)
  await engine.settle()
  fal.play({ rules: [{ when: { op: 'submit' }, times: 1, do: { status: 503 } }] })
  await regenerateSelected({ ...(await engine.admin()), ...engine.deps }, ids)
  await engine.settle()
  expect(orders()).toEqual([2, 2])
  expect(new Set(await statuses(one))).toEqual(new Set(['completed']))
})

test('issue 52: one key of a service is that of two providers, and orders from each', async () => {
  await open({ needsCredential: true })
  const admin = await engine.admin()
  await addPoolToken(admin, 'one-key-of-one-service')
  await addPoolToken(admin, 'one-key-of-one-service', { provider: 'fal' })
  await expect(addPoolToken(admin, 'one-key-of-one-service')).rejects.toThrow('already in the pool')
  const again = addPoolToken(admin, 'one-key-of-one-service', { provider: 'fal' })
  await expect(again).rejects.toThrow('already in the pool')
  for (const provider of [engine.fake, fal])
    await storeDefaultCredential(boundTo(engine.deps, provider), 'one-key-of-one-service')
  for (const route of ['first', 'fal'])
    await generate(await engine.user({ plan: 'Business', route }))
  await engine.settle()
  expect(orders()).toEqual([1, 1])
  const { rows } = await engine.pool.query(
    `select provider, is_default as "isDefault" from credentials order by provider`,
  )
  expect(rows).toEqual(['fake', 'fal'].map((provider) => ({ provider, isDefault: true })))
})

test('issue 52: a key of the pool that a user of another provider gets stays with its own', async () => {
  await open({ needsCredential: true })
  const admin = await engine.admin()
  await addPoolToken(admin, 'one-key-of-one-service')
  const other = await engine.user({ plan: 'Business', route: 'fal' })
  const holding = { userId: other.actor.id, token: 'one-key-of-one-service' }
  await engine.deps.db.transaction((tx) => storePersonalToken(admin, tx, holding))
  await generate(await engine.user({ plan: 'Business' }))
  await generate(other)
  await engine.settle()
  expect(orders()).toEqual([1, 1])
})

test('issue 52: a provider whose tokens are all of an earlier address takes no orders: its stand-in gets them', async () => {
  await engine.close()
  await open({ needsCredential: true })
  const admin = await engine.admin()
  await addPoolToken(admin, 'token-of-first')
  await addPoolToken(admin, 'token-of-fal', { provider: 'fal' })
  Object.assign(engine.deps, { provider: { ...engine.deps.provider, scope: 'another address' } })
  await engine.restart()
  await generate(await engine.user({ plan: 'Business', route: 'first fal' }))
  await engine.advance(6 * MINUTE)
  expect(orders()).toEqual([0, 1])
})

test('issue 52: Set-up says what each provider lacks', async () => {
  Object.assign(fal, { problems: () => Promise.resolve(['The workflow has no prompt']) })
  const steps = (await getSetup(engine.deps)).filter(({ title }) => title.startsWith('Provider'))
  expect(steps).toMatchObject([
    { title: 'Provider fal', isDone: false, text: 'The workflow has no prompt.' },
  ])
})

test('issue 52: a model that a provider does not offer is said on Set-up, and nothing is paid for it', async () => {
  fal.play({ rules: [{ when: { op: 'submit' }, do: { status: 404 } }] })
  const user = await engine.user({ plan: 'Enterprise', route: 'fal' })
  for (let i = 0; i < 3; i++) await generate(user)
  await engine.advance(MINUTE)
  const steps = (await getSetup(engine.deps)).filter(({ title }) => title.startsWith('Provider'))
  const text = 'It does not offer the model fal-model: name another one.'
  expect(steps).toMatchObject([{ title: 'Provider fal', isDone: false, text }])
  expect(orders()).toEqual([0, 0])
})

test('issue 52: the gate of a removed key goes, also where the first provider needs no key', async () => {
  await engine.close()
  await open({}, { needsCredential: true })
  const admin = await engine.admin()
  const { id } = await addPoolToken(admin, 'token-of-fal', { provider: 'fal' })
  fal.play({ rules: [{ when: { op: 'submit' }, do: { status: 403 } }] })
  const user = await engine.user({ plan: 'Enterprise', route: 'fal' })
  for (let i = 0; i < 3; i++) await generate(user)
  await engine.advance(MINUTE)
  expect(await closedGates(engine)).toHaveLength(1)
  await removeToken(admin, id)
  await engine.advance(60 * MINUTE)
  await engine.sweep()
  expect(await closedGates(engine)).toEqual([])
})
