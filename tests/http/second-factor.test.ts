import { beforeAll, describe, expect, test } from 'vitest'
import type { TestUser } from '../support/installation'
import { useInstallation } from '../support/shared-installation'
import { openPage, sendForm, submitForm } from '../support/page'
import {
  codesOf,
  keyOf,
  stopClock,
  switchOn,
  TWO_STEP,
  type StandingClock,
} from '../support/second-factor'

const product = useInstallation({ env: { THROTTLE_SCALE: '1' } })
let clock: StandingClock
beforeAll(async () => {
  clock = await stopClock(product.db)
})

type Failure = { error: string; code: string; step?: string; fields?: Record<string, string[]> }
type Program = TestUser

const newAdmin = () => product.user({ role: 'admin' })
const signIn = (user: Program, client = product.client()) =>
  client.post<Failure>('/api/auth/login', { username: user.username, password: 'secret-1' })
const finish = (step: string | undefined, typed: object, client = product.client()) =>
  client.post<Failure>('/api/auth/login/code', { step, ...typed })
const actionsOf = async ({ userId }: Program) => {
  const { rows } = await product.db.query<{ action: string }>(
    'select action from trail_entries where subject_id = $1 order by at, id',
    [userId],
  )
  return rows.map(({ action }) => action)
}
/** Moves the clock to the code of the next half minute. */
const nextCode = () => clock.move(30)

/** Returns an administrator with two-step sign-in whose next code is unused, and a client to sign in. */
async function protectedAdmin() {
  const admin = await newAdmin()
  const { app, recoveryCodes } = await switchOn(admin, clock.now)
  await nextCode()
  return { admin, app, recoveryCodes, client: product.client() }
}

describe('switching two-step sign-in on', () => {
  test('requires the password, shows the key, and requires a code of it; other sessions end', async () => {
    const admin = await newAdmin()
    const elsewhere = product.client()
    expect((await signIn(admin, elsewhere)).status).toBe(200)

    const wrong = await sendForm(admin, TWO_STEP, { intent: 'start', password: 'wrong-1' })
    expect(wrong.status).toBe(400)
    expect(wrong.text).toContain('This is not your password')
    expect(wrong.html).not.toContain('data-key')

    const { key, app, confirmed, recoveryCodes } = await switchOn(admin, clock.now)
    expect(key).toMatch(/^[A-Z2-7]{32}$/)
    expect(app.code()).toMatch(/^\d{6}$/)
    expect(confirmed.status).toBe(200)
    expect(confirmed.html).not.toContain(key)
    expect(recoveryCodes).toHaveLength(10)
    const later = await openPage(admin, TWO_STEP)
    expect(later.text).toContain('Two-step sign-in is on')
    expect(later.text).toContain('10 recovery codes left')
    expect(codesOf(later.html)).toEqual([])
    expect((await admin.get('/api/auth/me')).status).toBe(200)
    expect((await elsewhere.get('/api/auth/me')).status).toBe(401)
    expect(await actionsOf(admin)).toContain('auth.second-factor-on')
  })

  test('a wrong first code changes nothing and keeps the key; no code is required at sign-in yet', async () => {
    const admin = await newAdmin()
    const started = await sendForm(admin, TWO_STEP, { intent: 'start', password: 'secret-1' })
    const refused = await sendForm(admin, TWO_STEP, { intent: 'confirm', code: 'abc' })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('This code is wrong')
    expect(keyOf(refused.html)).toBe(keyOf(started.html))
    expect((await signIn(admin)).status).toBe(200)
  })

  test('a key whose set-up was started is shown for a quarter of an hour', async () => {
    const admin = await newAdmin()
    await sendForm(admin, TWO_STEP, { intent: 'start', password: 'secret-1' })
    await clock.move(16 * 60)
    expect((await openPage(admin, TWO_STEP)).html).not.toContain('data-key')
    const late = await sendForm(admin, TWO_STEP, { intent: 'confirm', code: '123456' })
    expect(late.text).toContain('This key is too old. Start again.')
  })

  test('key and recovery codes are stored in no table in clear', async () => {
    const admin = await newAdmin()
    const { key, recoveryCodes } = await switchOn(admin, clock.now)
    const { rows } = await product.db.query<{ text: string }>(
      `select t::text as text from second_factors t where user_id = $1
       union all select t::text from recovery_codes t where user_id = $1
       union all select t::text from trail_entries t`,
      [admin.userId],
    )
    const hex = (text: string) => Buffer.from(text).toString('hex')
    const dump = rows.map(({ text }) => text).join('\n')
    for (const secret of [
      key,
      ...recoveryCodes,
      ...recoveryCodes.map((c) => c.replaceAll('-', '')),
    ]) {
      expect(dump).not.toContain(secret)
      expect(dump).not.toContain(hex(secret))
    }
  })

  test('is for administrators; other users have no such page', async () => {
    const user = await product.user()
    expect((await openPage(user, TWO_STEP)).status).toBe(404)
    const start = { intent: 'start', password: 'secret-1' }
    const refused = await submitForm(user, TWO_STEP, start, { shown: '/account/sessions' })
    expect(refused.status).toBe(403)
    const { rows } = await product.db.query('select 1 from second_factors where user_id = $1', [
      user.userId,
    ])
    expect(rows).toEqual([])
  })
})

describe('signing in with a second factor', () => {
  test('U-API-2: without a second factor the call is unchanged', async () => {
    const admin = await newAdmin()
    const response = await signIn(admin)
    expect(response.status).toBe(200)
    expect(response.body).toEqual({ username: admin.username, role: 'admin' })
  })

  test('by the calls: the password returns a step, which a code completes', async () => {
    const { admin, app, client } = await protectedAdmin()
    const asked = await signIn(admin, client)
    expect(asked.status).toBe(401)
    expect(asked.body).toMatchObject({
      code: 'CODE_NEEDED',
      fields: { code: [expect.any(String)] },
    })
    expect(client.cookieHeader).not.toContain('session')
    const done = await finish(
      asked.body.step,
      { code: ` ${app.code().replace(/^.../, '$& ')}` },
      client,
    )
    expect(done.status).toBe(200)
    expect(done.body).toEqual({ username: admin.username, role: 'admin' })
    expect((await client.get('/api/admin/stats/online')).status).toBe(200)
    expect((await actionsOf(admin)).slice(-1)).toEqual(['auth.sign-in'])
  })

  test('by the form: the page asks for the code and leads to the requested page', async () => {
    const { admin, app, client } = await protectedAdmin()
    const path = '/login?redirectTo=%2Fadmin%2Factivity'
    const page = await client.submit(path, {
      intent: 'sign-in',
      username: admin.username,
      password: 'secret-1',
    })
    const html = await page.text()
    expect(page.status).toBe(401)
    expect(html).toContain('Enter your code')
    expect(html).not.toContain('name="password"')
    expect(html).toContain(`href="${path}"`)
    expect(client.cookieHeader).not.toContain('session')
    const step = /name="step" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const wrong = await client.submit(path, { intent: 'sign-in', step, code: app.wrongCode() })
    expect(wrong.status).toBe(401)
    const again = await wrong.text()
    expect(again).toContain('This code is wrong')
    expect(again).toContain(`name="step" value="${step}"`)
    const done = await client.submit(path, { intent: 'sign-in', step, code: app.code() })
    expect(done.status).toBe(303)
    expect(done.headers.get('location')).toBe('/admin/activity')
    expect((await client.get('/api/auth/me')).status).toBe(200)
  })

  test('a wrong code is said at its own field, and the part with the recovery code stays open', async () => {
    const { admin, app, client } = await protectedAdmin()
    const { step = '' } = (await signIn(admin, client)).body
    const send = async (typed: Record<string, string>, path = '/login') => {
      const response = await client.submit(path, { intent: 'sign-in', step, ...typed })
      expect(response.status).toBe(401)
      return response.text()
    }
    const recovery = await send({ code: ' ', recoveryCode: 'aaaaaa-bbbbbb' })
    expect(recovery).toMatch(/<p id="sign-in-recoveryCode-error"[^>]*>This code is wrong</)
    expect(recovery).not.toContain('sign-in-code-error')
    expect(recovery).toMatch(/<details[^>]* open/)
    expect(recovery).not.toContain('aaaaaa')
    // The one that counts if both were sent.
    const both = await send({ code: app.wrongCode(), recoveryCode: 'aaaaaa-bbbbbb' })
    expect(both).toMatch(/<p id="sign-in-code-error"[^>]*>This code is wrong</)
    expect(both).not.toContain('sign-in-recoveryCode-error')
    expect(both).not.toMatch(/<details[^>]* open/)
  })

  test('a wrong code counts once: the call names no field, so scripts do not send it again', async () => {
    const { admin, app } = await protectedAdmin()
    const { step } = (await signIn(admin)).body
    for (const typed of [{ code: app.wrongCode() }, { recoveryCode: 'aaaaaa-bbbbbb' }]) {
      const { status, body } = await finish(step, typed)
      expect(status).toBe(401)
      expect(body).toMatchObject({ code: 'BAD_CREDENTIALS', error: 'This code is wrong' })
      expect(body).not.toHaveProperty('fields')
    }
    const wrong = (await actionsOf(admin)).filter((action) => action === 'auth.wrong-code')
    expect(wrong).toHaveLength(2)
  })

  test('what was typed when the session ended is kept through the code as well', async () => {
    const { admin, app, client } = await protectedAdmin()
    const path = '/resume?redirectTo=%2Fapp'
    const typed = { intent: 'resume', prompt: 'A lighthouse at dusk' }
    const credentials = { username: admin.username, password: 'secret-1' }
    const html = await (await client.submit(path, { ...typed, ...credentials })).text()
    expect(html).toContain('A lighthouse at dusk')
    const step = /name="step" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const restarted = await (await client.submit(path, { ...typed, step, again: '1' })).text()
    expect(restarted).toContain('name="password"')
    expect(restarted).toContain('A lighthouse at dusk')
    const done = await client.submit(path, { ...typed, step, code: app.code() })
    expect(done.headers.get('location')).toBe('/app')
    expect((await openPage(client, '/app')).html).toContain('A lighthouse at dusk')
  })

  test('A6: digits of any script are digits at all three entrances, and other signs a wrong code', async () => {
    const inArabic = (code: string) =>
      code.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)))
    const inFullWidth = (code: string) =>
      code.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))
    const { admin, app, recoveryCodes, client } = await protectedAdmin()
    const { step = '' } = (await signIn(admin, client)).body
    for (const code of ['é12345', '１２３４５é', '١٢٣٤٥٦٧', '²³¹⁴⁵⁶', '😀😀😀']) {
      const byCall = await finish(step, { code })
      expect([code, byCall.status, byCall.body.error]).toEqual([code, 401, 'This code is wrong'])
    }
    const byForm = await client.submit('/login', { intent: 'sign-in', step, code: 'é12345' })
    expect(byForm.status).toBe(401)
    expect((await finish(step, { code: inArabic(app.code()) }, client)).status).toBe(200)
    await nextCode()
    const again = (await signIn(admin)).body.step ?? ''
    const visitor = product.client()
    const form = { intent: 'sign-in', step: again, code: inFullWidth(app.code()) }
    expect((await visitor.submit('/login', form)).status).toBe(303)
    await nextCode()
    const confirm = (typed: object) =>
      sendForm(admin, '/admin/confirm', { ownPassword: 'secret-1', ...typed })
    expect((await confirm({ code: 'é12345' })).status).toBe(400)
    expect((await confirm({ code: inArabic(app.code()) })).status).toBe(303)
    const [recoveryCode = ''] = recoveryCodes
    expect((await confirm({ recoveryCode: inFullWidth(recoveryCode) })).status).toBe(303)
  })

  test('a known device may not skip it', async () => {
    const { admin, app, client } = await protectedAdmin()
    const first = await signIn(admin, client)
    expect((await finish(first.body.step, { code: app.code() }, client)).status).toBe(200)
    await client.post('/api/auth/logout')
    expect(client.cookieHeader).toContain('device')
    expect((await signIn(admin, client)).body.code).toBe('CODE_NEEDED')
  })

  test('a code is accepted once, one step early or late, but not two steps', async () => {
    const admin = await newAdmin()
    const { app } = await switchOn(admin, clock.now)
    const { step } = (await signIn(admin)).body
    const used = await finish(step, { code: app.code() })
    expect(used.status).toBe(401)
    expect(used.body.error).toMatch(/has been used/)
    const twice = await Promise.all([1, 2, 3].map(() => finish(step, { code: app.code(1) })))
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 401, 401])
    await clock.move(90)
    expect((await finish(step, { code: app.code(-1) })).status).toBe(200)
    for (const later of [-2, 2])
      expect((await finish(step, { code: app.code(later) })).body.error).toMatch(/is wrong/)
  })

  test('a recovery code works once, in any notation, and is recorded', async () => {
    const admin = await newAdmin()
    const { recoveryCodes } = await switchOn(admin, clock.now)
    const { step } = (await signIn(admin)).body
    const recoveryCode = ` ${recoveryCodes[3]!.toUpperCase().replaceAll('-', ' ')} `
    const responses = await Promise.all([1, 2].map(() => finish(step, { recoveryCode })))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401])
    expect(await actionsOf(admin)).toContain('auth.recovery-code')
    expect((await openPage(admin, TWO_STEP)).text).toContain('9 recovery codes left')
  })

  test('wrong codes are throttled like passwords: ten, also for thirty concurrent ones, then 429', async () => {
    const { admin, app } = await protectedAdmin()
    const { step } = (await signIn(admin)).body
    const code = app.wrongCode()
    const guesses = await Promise.all(Array.from({ length: 30 }, () => finish(step, { code })))
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(10)
    const refused = guesses.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(20)
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await finish(step, { code: app.code() })).status).toBe(429)
    const actions = await actionsOf(admin)
    expect(actions.filter((action) => action === 'auth.wrong-code')).toHaveLength(10)
    expect(actions).toContain('auth.locked')
  })

  test('wrong codes of somebody who knows the password do not lock out the signed-in user', async () => {
    const { admin, app } = await protectedAdmin()
    const { step } = (await signIn(admin)).body
    for (let i = 0; i < 11; i++) await finish(step, { code: app.wrongCode() })
    expect((await finish(step, { code: app.code() })).status).toBe(429)
    const renewal = { intent: 'renew', password: 'secret-1', code: app.code() }
    expect(codesOf((await sendForm(admin, TWO_STEP, renewal)).html)).toHaveLength(10)
  })

  test('of recovery codes renewed twice at once, ten are valid', async () => {
    const admin = await newAdmin()
    const { recoveryCodes } = await switchOn(admin, clock.now)
    const renewals = [0, 1, 2, 3].map((n) =>
      sendForm(admin, TWO_STEP, {
        intent: 'renew',
        password: 'secret-1',
        recoveryCode: recoveryCodes[n]!,
      }),
    )
    await Promise.all(renewals)
    expect((await openPage(admin, TWO_STEP)).text).toContain('10 recovery codes left')
  })

  test('a step ends after ten minutes or with a new password, and is refused if it was tampered with', async () => {
    const { admin, app } = await protectedAdmin()
    const late = (await signIn(admin)).body.step
    await clock.move(9 * 60)
    expect((await finish(late, { code: app.wrongCode() })).status).toBe(401)
    await clock.move(2 * 60)
    expect((await finish(late, { code: app.code() })).status).toBe(409)

    const { step = '' } = (await signIn(admin)).body
    const forged = `${step.slice(0, -4)}AAAA`
    expect((await finish(forged, { code: app.code() })).status).toBe(409)
    const code = app.code()
    const passwords = { oldPassword: 'secret-1', newPassword: 'secret2', code }
    expect((await admin.post('/api/auth/user/change-password', passwords)).status).toBe(200)
    const over = await finish(step, { code: app.code() })
    expect(over.status).toBe(409)
    expect(over.body.error).toContain('Sign in again')
    const client = product.client()
    const page = await client.submit('/login', { intent: 'sign-in', step, code: app.code() })
    expect(await page.text()).toContain('name="password"')
  })

  test('an empty code is reported at its field', async () => {
    const admin = await newAdmin()
    await switchOn(admin, clock.now)
    const { step } = (await signIn(admin)).body
    const empty = await finish(step, {})
    expect(empty.status).toBe(400)
    expect(empty.body.fields).toEqual({ code: ['Type the code'] })
  })
})

describe('switching two-step sign-in off, and new recovery codes', () => {
  test('require the password and a code', async () => {
    const { admin, app, recoveryCodes } = await protectedAdmin()
    const send = (intent: string, typed: Record<string, string>) =>
      sendForm(admin, TWO_STEP, { intent, ...typed })
    expect((await send('off', { password: 'secret-1' })).text).toContain('Type the code')
    expect((await send('off', { password: 'nope-1', code: app.code() })).text).toContain(
      'This is not your password',
    )
    expect((await send('off', { password: 'secret-1', code: app.wrongCode() })).text).toContain(
      'This code is wrong',
    )
    const renewed = await send('renew', { password: 'secret-1', code: app.code() })
    const codes = codesOf(renewed.html)
    expect(codes).toHaveLength(10)
    expect(codes.filter((code) => recoveryCodes.includes(code))).toEqual([])
    const old = { password: 'secret-1', recoveryCode: recoveryCodes[0]! }
    const refused = await send('off', old)
    expect(refused.html).toMatch(/-recoveryCode-error"[^>]*>This code is wrong</)
    expect(refused.html).toMatch(/<details[^>]* open/)
    const off = await send('off', { password: 'secret-1', recoveryCode: codes[0]! })
    expect(off.text).toContain('Two-step sign-in is off')
    expect((await signIn(admin)).status).toBe(200)
    expect((await actionsOf(admin)).filter((action) => action.includes('factor'))).toEqual([
      'auth.second-factor-on',
      'auth.second-factor-off',
    ])
  })
})
