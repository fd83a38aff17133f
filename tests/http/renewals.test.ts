import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addVideos } from '../support/ended-videos'
import type { TestUser } from '../support/installation'
import { formTokenIn, openPage, sendForm } from '../support/page'
import { useInstallation } from '../support/shared-installation'

/** A method of payment that is chosen already. */
const IS_PAID = /name="paidMethod"[^>]*value="\w+"[^>]*checked/
const product = useInstallation({ env: { PHONE_COUNTRY_CODE: '92' } })
const DAY = 86_400_000
let admin: TestUser
beforeAll(async () => {
  admin = await product.user({ role: 'admin', expiry_date: null })
})

let numbers = 6_000_000
/** A customer whose plan ends in some days, and who has made a video. */
async function customer(days: number, isUsed = true) {
  const user = await product.user({
    plan: 'Business',
    expiry_date: new Date(Date.now() + days * DAY),
  })
  const number = `92345${numbers++}`
  await product.db.query('update users set username = $2, phone = $2 where id = $1', [
    user.userId,
    number,
  ])
  if (isUsed) await addVideos(product, { userId: user.userId, status: 'completed' })
  return { id: user.userId, number, client: user }
}
const endOf = async (id: string) => {
  const { rows } = await product.db.query<{ at: Date }>(
    'select expiry_date as at from users where id = $1',
    [id],
  )
  return Math.round((rows[0]!.at.getTime() - Date.now()) / DAY)
}
const actionsOf = async (id: string) => {
  const { rows } = await product.db.query<{ action: string }>(
    `select action from trail_entries where subject_id = $1 and action like 'user.%' order by at`,
    [id],
  )
  return rows.map(({ action }) => action)
}
const desk = (list: string) => openPage(admin, `/admin/renewals?filter=${list}`)
/** The usernames on a page, by the links to their pages. */
const namesOn = (html: string) =>
  [...html.matchAll(/href="\/admin\/users\/[0-9a-f-]{36}"[^>]*>([^<]+)</g)].map(([, name]) => name)

afterEach(async () => {
  await product.db.query(`update users set deleted_at = now() where username like '92345%'`)
  await product.db.query('delete from business_settings')
})

test('every list has its customers, with end, last order and how many they are', async () => {
  const [today, soon, week, ended, long, later] = await Promise.all(
    [-0.5, 2, 6, -10, -30, 20].map((days) => customer(days)),
  )
  const unused = await customer(20, false)
  const busy = await customer(20)
  await product.db.query(
    `insert into quota_days (user_id, day, granted_limit, charged)
     select $1, (now() at time zone 'UTC')::date, video_limit, video_limit from users where id = $1
     on conflict (user_id, day) do update set charged = excluded.charged`,
    [busy.id],
  )
  const off = await customer(2)
  await product.db.query('update users set is_active = false where id = $1', [off.id])
  const lists = {
    'ending-today': [today],
    expiring: [today, soon],
    'expiring-week': [today, soon, week],
    'expired-lately': [ended],
    'never-used': [unused],
    'over-80': [busy],
  }
  for (const [list, users] of Object.entries(lists)) {
    const { html, text } = await desk(list)
    expect([list, namesOn(html)]).toEqual([list, users.map((user) => user!.number)])
    expect(text).toMatch(/Today\s*1\s*3 days\s*2\s*7 days\s*3\s*Expired 1–14 days\s*1/)
  }
  for (const user of [long, later])
    expect((await desk('expired-lately')).text).not.toContain(user!.number)
})

/** The payments of these customers, newest last. */
const bookOf = async (...ids: string[]) => {
  const { rows } = await product.db.query<{ state: string; amount: number; days: number }>(
    `select state, amount, round(extract(epoch from period_to - period_from) / 86400)::int as days
     from payments where user_id = any($1) order by id`,
    [ids],
  )
  return rows
}

describe('a renewal', () => {
  test('counts from the old end or from today; both ends are shown before', async () => {
    const [late, again] = [await customer(-10), await customer(-10)]
    const { html } = await desk('expired-lately')
    expect(html).toMatch(new RegExp(`Renew ${late.number} from the old end, until`))
    expect(html).toMatch(new RegExp(`Renew ${late.number} from today, until`))
    const path = '/admin/renewals?filter=expired-lately'
    const dialog = await openPage(admin, `${path}&dialog=renew-end&on=${late.id}`)
    expect(dialog.text).toMatch(/Business\. From .*, the old end, to /)
    const sent = await sendForm(admin, path, { intent: 'renew', from: 'end', id: late.id })
    expect(sent.text).toContain('Back to Renewals')
    await sendForm(admin, path, { intent: 'renew', from: 'today', id: again.id })
    expect([await endOf(late.id), await endOf(again.id)]).toEqual([20, 30])
    await sendForm(admin, sent.location!, { intent: 'undo' })
    expect(await endOf(late.id)).toBe(-10)
    expect(await actionsOf(late.id)).toEqual(['user.renew', 'user.undo'])
    expect(await bookOf(late.id, again.id)).toEqual([])
  })

  test('enters its payment in the book, once per reference; undo reverses both', async () => {
    const [first, second] = [await customer(-10), await customer(-10)]
    const path = '/admin/renewals?filter=expired-lately'
    const { html, text } = await openPage(admin, `${path}&dialog=renew-today&on=${first.id}`)
    expect(html).not.toMatch(IS_PAID)
    expect(text).toContain('Empty: 1,500 PKR, the plan’s price.')
    const renew = (id: string, fields = {}) =>
      sendForm(admin, `${path}&dialog=renew-today&on=${id}`, {
        intent: 'renew',
        from: 'today',
        id,
        paidMethod: 'bank',
        paidReference: 'Desk 1',
        ...fields,
      })
    const sent = await renew(first.id)
    expect(sent.text).toContain('1 payment recorded')
    const refused = await renew(second.id)
    expect(refused.text).toMatch(
      new RegExp(`Already used by ${first.number} on .*Record it all the same`),
    )
    expect([await endOf(second.id), await bookOf(second.id)]).toEqual([-10, []])
    await renew(second.id, { isRepeatSeen: 'on' })
    expect(await bookOf(first.id, second.id)).toEqual(
      [1, 2].map(() => ({ state: 'confirmed', amount: 150_000, days: 30 })),
    )
    await sendForm(admin, sent.location!, { intent: 'undo' })
    expect(await endOf(first.id)).toBe(-10)
    expect(await bookOf(first.id)).toEqual([{ state: 'rejected', amount: 150_000, days: 30 }])
  })

  test('of many is previewed, leads back to the desk, and each customer can be told', async () => {
    const users = await Promise.all([2, 2, 2].map((days) => customer(days)))
    const filters = 'role=user&status=active&filter=expiring&sort=expiry&view=desk'
    const order = `/admin/users/change?scope=filter&${filters}&kind=renew&from=today`
    const preview = await openPage(admin, order)
    expect(preview.text).toContain('Renew by 30 days from today: 3 users')
    expect(preview.html).toContain('href="/admin/renewals?')
    expect(preview.html).not.toMatch(IS_PAID)
    expect(preview.text).toContain('the price of each user’s plan, 4,500 PKR altogether.')
    expect(preview.text).toMatch(/The 2 days left are lost: .* 3 users: /)
    const form = { intent: 'apply', expected: '3', paidMethod: 'bank', seenDays: 'on' }
    const applied = await sendForm(admin, order, form)
    expect(applied.text).toContain('Renewed: 3 users')
    expect(applied.text).toContain('3 payments recorded')
    for (const { id, number } of users) {
      expect(await endOf(id)).toBe(30)
      expect(applied.html).toContain(`Chat with ${number}`)
    }
    expect(namesOn((await desk('expiring')).html)).toEqual([])
  })
})

describe('U-NOTIFY-25: who was reminded', () => {
  type Told = { reminder: string; state?: string; channel?: string; end?: Date }
  const told = (id: string, { reminder, state = 'sent', channel = 'email', end }: Told) =>
    product.db.query(
      `insert into notifications (id, user_id, channel, reminder, of_end, title, body, at, state, next_try_at, ended_at)
       select gen_random_uuid(), id, $2::notification_channel, $3, coalesce($5, expiry_date), 'T', 'T', now(),
         $4::notification_state, now(), now()
       from users where id = $1`,
      [id, channel, reminder, state, end ?? null],
    )
  const rowOf = async (list: string, { number }: { number: string }) => {
    const { html } = await desk(list)
    return {
      text: (html.split('class="data-row"').find((row) => row.includes(number)) ?? '')
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll(/\s+/g, ' '),
      hasChat: html.includes(`aria-label="Chat with ${number}"`),
    }
  }

  test('is shown with when and by what, and has no chat; the rest has one', async () => {
    const [reminded, failed, renewed, none] = await Promise.all(
      [2, 2, 2, 2].map((n) => customer(n)),
    )
    await told(reminded!.id, { reminder: 'three-days' })
    await told(reminded!.id, { reminder: 'three-days', channel: 'push' })
    await told(failed!.id, { reminder: 'three-days', state: 'failed' })
    await told(renewed!.id, { reminder: 'three-days', end: new Date(Date.now() - 28 * DAY) })
    const row = await rowOf('expiring', reminded!)
    expect(row.text).toMatch(/\d{4} ?: Ends in 3 days, by e-mail and devices/)
    expect(row.hasChat).toBe(false)
    for (const one of [failed, renewed, none]) {
      const { text, hasChat } = await rowOf('expiring', one!)
      expect([hasChat, text.includes('Ends in 3 days')]).toEqual([true, false])
    }
    expect((await openPage(admin, `/admin/users/${reminded!.id}`)).text).toMatch(
      /Reminded .*: Ends in 3 days, by e-mail and devices\./,
    )
    await product.db.query(
      `update users set expiry_date = expiry_date - interval '6 days' where id = $1`,
      [reminded!.id],
    )
    expect((await rowOf('expired-lately', reminded!)).hasChat).toBe(true)
    await told(reminded!.id, { reminder: 'ended', channel: 'webhook' })
    const ended = await rowOf('expired-lately', reminded!)
    expect([ended.hasChat, ended.text]).toEqual([
      false,
      expect.stringContaining('Has ended, by webhook'),
    ])
  })
})

describe('a chat', () => {
  const chat = async (id: string, fields: Record<string, string>, language = '') => {
    const { html } = await desk('expiring')
    const formToken = formTokenIn(html)
    const path = `/admin/users/${id}/chat${language && `?language=${language}`}`
    const response = await admin.submit(path, { formToken, ...fields })
    return { response, html: response.status === 200 ? await response.text() : '' }
  }
  const textIn = (html: string) =>
    new URL(
      /content="0;url=([^"]+)"/.exec(html)?.[1] ?? 'https://nowhere.example',
    ).searchParams.get('text')

  test('opens with the text of the occasion and marks the customer', async () => {
    const { id, number } = await customer(2)
    const { html } = await chat(id, { occasion: 'ending' })
    expect(html).toContain(`url=https://wa.me/${number}?text=`)
    expect(textIn(html)).toMatch(
      new RegExp(
        `^Hello ${number}, your Reelmill plan Business ends on .*1,500 rupees .*/pricing$`,
      ),
    )
    const row = (await desk('expiring')).text
    expect(row).toContain('Plan ends soon')
    expect(await actionsOf(id)).toEqual(['user.contact'])
  })

  test('is remembered on the page of the renewal that it tells of', async () => {
    const { id } = await customer(2)
    // A chat about something else, before it.
    await chat(id, { occasion: 'ending' })
    const renewed = await sendForm(admin, `/admin/users/${id}`, { intent: 'renew', id })
    expect(renewed.text).not.toContain('Told')
    await chat(id, { occasion: 'renewed' })
    expect((await openPage(admin, renewed.location ?? '')).text).toContain('Told')
  })

  test('A-IMPORT-12: after an import, who was told is kept with it and on the customer’s page', async () => {
    const names = [numbers++, numbers++, numbers++].map((number) => `92345${number}`)
    const lines = names.map((name, i) => `${name}|${i === 2 ? 'secret-1' : '[HASHED]'}`)
    const done = await sendForm(admin, '/admin/users/import', {
      intent: 'import-users',
      mode: 'import',
      text: lines.join('\n'),
    })
    // With a password of their own there is no link to send.
    const buttons = done.html.match(/<button[^>]*aria-label="Chat with [^>]*>/g) ?? []
    expect(buttons).toHaveLength(2)
    const [id = ''] = /[0-9a-f-]{36}(?=\/chat)/.exec(buttons[0] ?? '') ?? []
    const [link = ''] = /http[^"]+set-password[^"]+/.exec(buttons[0] ?? '') ?? []
    const change = /\/admin\/changes\/[0-9a-f-]{36}/.exec(done.html)?.[0] ?? ''
    expect((await openPage(admin, change)).text).not.toContain('Told')
    expect(textIn((await chat(id, { occasion: 'account', link })).html)).toContain(link)

    const kept = await openPage(admin, change)
    expect(kept.text.match(/Told/g)).toHaveLength(1)
    expect(kept.html.match(/aria-label="Chat with /g)).toHaveLength(2)
    expect((await openPage(admin, `/admin/users/${id}`)).text).toMatch(
      /Last written to .*: New account/,
    )
    // From here the link is a new one. Another address is not sent.
    const foreign = { occasion: 'account', link: 'https://elsewhere.example/set-password?token=x' }
    const again = textIn((await chat(id, foreign)).html) ?? ''
    expect(again).toMatch(/\/set-password\?token=/)
    expect(again).not.toContain('elsewhere')
    expect(again).not.toContain(link)
    // Whoever has a password is not asked to set one.
    await product.db.query(`update users set password_hash = 'x' where id = $1`, [id])
    expect((await openPage(admin, change)).html.match(/aria-label="Chat with /g)).toHaveLength(1)
    expect((await chat(id, { occasion: 'account' })).response.status).toBe(303)
  })

  test('is in the customer’s language', async () => {
    const { id } = await customer(2)
    const texts = (name: string, ending: string) =>
      Object.fromEntries(
        ['account', 'password', 'ending', 'ended', 'renewed', 'unused', 'nearly-used'].map(
          (one) => [`texts-${one}`, one === 'ending' ? ending : name],
        ),
      )
    for (const [name, ending] of [
      ['English', 'ends {plan}'],
      ['Urdu', 'ختم {plan}'],
    ] as const)
      await sendForm(admin, '/admin/settings', {
        intent: 'chat-texts',
        was: '',
        name,
        ...texts(name, ending),
      })
    expect(textIn((await chat(id, { occasion: 'ending' })).html)).not.toContain('ختم')
    const note = { intent: 'note', id, note: 'Pays late', language: 'Urdu' }
    expect((await sendForm(admin, `/admin/users/${id}`, note)).text).toContain('Note saved')
    expect(textIn((await chat(id, { occasion: 'ending' })).html)).toBe('ختم Business')
    expect(textIn((await chat(id, { occasion: 'ending' }, 'English')).html)).toMatch(/^Hello/)
  })

  test('is refused for a number that is not complete, without a token, and to users', async () => {
    const { id, client } = await customer(2)
    await product.db.query(`update users set username = '92345', phone = '92345' where id = $1`, [
      id,
    ])
    const refused = await chat(id, { occasion: 'ending' })
    expect(refused.response.headers.get('location')).toBe(`/admin/users/${id}`)
    expect((await chat(id, { occasion: 'ending', formToken: 'x' })).html).toBe('')
    expect((await client.submit(`/admin/users/${id}/chat`, { occasion: 'ending' })).status).toBe(
      403,
    )
    expect((await openPage(client, '/admin/renewals')).status).toBe(403)
    expect(await actionsOf(id)).toEqual([])
  })
})

describe('the page of a customer', () => {
  let one: Awaited<ReturnType<typeof customer>>
  beforeEach(async () => {
    one = await customer(2)
  })
  const page = (query = '') => openPage(admin, `/admin/users/${one.id}${query}`)

  test('answers "why do my videos not come": holds, failures, and what the provider said', async () => {
    await one.client.post('/api/videos/generate', { prompt: 'A boat that waits' })
    await product.db.query(
      `update line_entries set state = 'held', hold_reason = 'quota',
         wake_at = now() + interval '50 minutes' where user_id = $1`,
      [one.id],
    )
    const [failed] = await addVideos(product, {
      userId: one.id,
      status: 'error',
      prompt: 'A kite in a storm',
    })
    await product.db.query(
      `insert into attempts (id, video_id, user_id, generation, n, lane, state, provider, model,
         account_scope, due_at, deadline_at, settled_at, fault, evidence)
       select gen_random_uuid(), id, user_id, generation, 1, 0, 'failed', 'runway', 'gen', 'a', now(), now(),
         now(), 'busy', '{"message": "Daily task limit reached", "status": "429"}'
       from videos where id = $1`,
      [failed],
    )
    const { text } = await page()
    expect(text).toContain(
      '1 video on hold because the account has no credits or quota left with the provider',
    )
    expect(text).toContain("The customer reads: The video service's own limit is reached for now.")
    expect(text).toContain('The customer reads: The video service was too busy.')
    expect(text).toContain('The provider said (429): Daily task limit reached')
    const found = (await page('?words=kite')).text
    expect([found.includes('A kite in a storm'), found.includes('A boat that waits')]).toEqual([
      true,
      false,
    ])
    const pending = (await page('?status=pending')).text
    expect([pending.includes('A kite in a storm'), pending.includes('A boat that waits')]).toEqual([
      false,
      true,
    ])
  })

  test('shows plan, quota, key and log; it is found by name, and led to from lists', async () => {
    await product.db.query(
      `insert into payments (id, user_id, username, plan, amount, currency, method, received_at, state,
         decided_at, decided_by, change_id, period_from)
       values (gen_random_uuid(), $1, $2, 'Business', 150000, 'PKR', 'bank', now(), 'confirmed', now(),
         'x', gen_random_uuid(), now())`,
      [one.id, one.number],
    )
    const { text } = await page()
    for (const shown of [
      'Business, ',
      'in progress',
      'The default token',
      '1,500 PKR for Business',
    ])
      expect(text).toContain(shown)
    const link = `href="/admin/users/${one.id}"`
    for (const list of [`/admin?search=${one.number}`, '/admin/renewals?filter=expiring'])
      expect((await openPage(admin, list)).html).toContain(link)
    const byName = await admin.send('GET', `/admin/users/${one.number}`)
    expect(byName.headers.get('location')).toBe(`/admin/users/${one.id}`)
    expect((await openPage(admin, '/admin/users/nobody')).status).toBe(404)
    expect((await openPage(one.client, `/admin/users/${one.id}`)).status).toBe(403)
  })

  test('unlocks, makes links, edits and deletes like the users’ page, and stays', async () => {
    await product.db.query('update users set password_hash = null where id = $1', [one.id])
    const path = `/admin/users/${one.id}`
    const linked = await sendForm(admin, path, { intent: 'password-link', id: one.id })
    expect(linked.location).toBe(`${path}?dialog=credentials`)
    expect(linked.html).toMatch(/set-password%3Ftoken%3D/)
    await product.db.query(
      `insert into trail_entries (id, at, actor_name, action, subject_kind, subject_id, subject_name)
       values (gen_random_uuid(), now(), 'somebody', 'auth.failure', 'user', $1, $2)`,
      [one.id, one.number],
    )
    expect((await page()).text).toContain('1 failed sign-in in the last hour')
    await sendForm(admin, path, { intent: 'unlock', id: one.id })
    await sendForm(admin, path, { intent: 'note', id: one.id, note: 'Brother of Ali' })
    const { text, html } = await page()
    expect(text).toContain('unlocked sign-in')
    expect(text).toContain('changed the note about a user')
    expect(html).toContain('Brother of Ali')
    const gone = await sendForm(admin, path, { intent: 'delete-user', id: one.id })
    expect(gone.location).toBe('/admin')
    expect((await page()).status).toBe(404)
  })
})
