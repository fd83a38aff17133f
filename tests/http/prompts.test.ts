import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DailyPrompt, PromptView } from '../../app/domain/prompts/types'
import type { TestUser } from '../support/installation'
import { openPage } from '../support/page'
import { useInstallation } from '../support/shared-installation'
import { findViolations } from '../support/invariants'

const product = useInstallation()
let admin: TestUser
beforeAll(async () => {
  admin = await product.user({ role: 'admin' })
})
beforeEach(async () => {
  await product.db.query('delete from prompts')
})
afterEach(async () => expect(await findViolations(product.db)).toEqual({}))

type Failure = { error: string; code: string }
const nobody = '00000000-0000-4000-8000-000000000000'

const create = async (text: string) =>
  (await admin.post<PromptView>('/api/admin/prompts', { text })).body
const list = async () => (await admin.get<PromptView[]>('/api/admin/prompts')).body
const daily = async (user: typeof admin) => (await user.get<DailyPrompt>('/api/prompts/daily')).body
/** Moves the day on which the current prompt became current into the past. */
const letADayPass = () => product.db.query('update prompts set current_on = current_on - 1')

describe('the library', () => {
  test('A-API-23: a prompt is trimmed and stored; the first one is current', async () => {
    const response = await admin.post<PromptView>('/api/admin/prompts', { text: '  A kite  ' })
    expect(response.status).toBe(201)
    expect(response.body).toMatchObject({
      text: 'A kite',
      copyCount: 0,
      skipCount: 0,
      isCurrent: true,
    })
    expect((await create('A boat')).isCurrent).toBe(false)
    expect(Object.keys((await list())[0] ?? {}).sort()).toEqual(
      ['copyCount', 'createdAt', 'id', 'isCurrent', 'skipCount', 'text'].sort(),
    )
  })

  test('A-API-22: the list returns every prompt with its copies and marks the current one', async () => {
    const [kite, boat] = [await create('A kite'), await create('A boat')]
    await admin.post(`/api/prompts/${kite.id}/copy`)
    const response = await admin.get<PromptView[]>('/api/admin/prompts')
    expect(response.status).toBe(200)
    expect(
      response.body.map(({ id, text, copyCount, isCurrent }) => ({
        id,
        text,
        copyCount,
        isCurrent,
      })),
    ).toEqual([
      { id: kite.id, text: 'A kite', copyCount: 1, isCurrent: true },
      { id: boat.id, text: 'A boat', copyCount: 0, isCurrent: false },
    ])
  })

  test('every action on the library is recorded in the activity log', async () => {
    await product.db.query('delete from trail_entries')
    const { id } = await create('A kite')
    await admin.post('/api/admin/prompts/bulk', { prompts: 'one\ntwo' })
    await admin.call('PUT', `/api/admin/prompts/${id}`, { text: 'A red kite' })
    await admin.post(`/api/admin/prompts/set-daily/${id}`)
    await admin.call('DELETE', `/api/admin/prompts/${id}`)
    const { rows } = await product.db.query(
      'select action, subject_name as name, count from trail_entries order by at, id',
    )
    expect(rows).toEqual([
      { action: 'prompt.create', name: 'A kite', count: 1 },
      { action: 'prompts.import', name: null, count: 2 },
      { action: 'prompt.edit', name: 'A red kite', count: 1 },
      { action: 'prompt.set-daily', name: 'A red kite', count: 1 },
      { action: 'prompt.delete', name: 'A red kite', count: 1 },
    ])
  })

  test.each([[{}], [{ text: '' }], [{ text: '   ' }]])(
    'A-PROMPT-3: %j is refused',
    async (body) => {
      const response = await admin.post<Failure>('/api/admin/prompts', body)
      expect(response.status).toBe(400)
      expect(response.body.error).toBe('Please enter a prompt')
    },
  )

  test('A-PROMPT-3: 1,000 characters are accepted, 1,001 are not', async () => {
    expect((await admin.post('/api/admin/prompts', { text: 'x'.repeat(1000) })).status).toBe(201)
    const long = await admin.post<Failure>('/api/admin/prompts', { text: 'x'.repeat(1001) })
    expect(long.body.error).toBe('Prompt can have at most 1,000 characters')
  })

  test('A-API-24: many lines at once: blank ones are dropped, the number is returned', async () => {
    const response = await admin.post<{ message: string; count: number }>(
      '/api/admin/prompts/bulk',
      {
        prompts: ' one \r\n\n two\n   \nthree',
      },
    )
    expect(response.status).toBe(201)
    expect(response.body).toEqual({ message: '3 prompts imported', count: 3 })
    expect((await list()).map(({ text }) => text).sort()).toEqual(['one', 'three', 'two'])
    const blank = await admin.post<Failure>('/api/admin/prompts/bulk', { prompts: ' \n ' })
    expect(blank.status).toBe(400)
    expect(blank.body.error).toBe('Please enter at least one prompt')
    const long = await admin.post<Failure>('/api/admin/prompts/bulk', {
      prompts: `fine\n${'x'.repeat(1001)}`,
    })
    expect(long.body.error).toBe('Line 2: Prompt can have at most 1,000 characters')
  })

  test('A-API-25: changing a text keeps its counts', async () => {
    const { id } = await create('before')
    await admin.post(`/api/prompts/${id}/copy`)
    const changed = await admin.call<PromptView>('PUT', `/api/admin/prompts/${id}`, {
      text: 'after',
    })
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({ id, text: 'after', copyCount: 1 })
    const unknown = await admin.call('PUT', `/api/admin/prompts/${nobody}`, { text: 'x' })
    expect(unknown.status).toBe(404)
    const blank = await admin.call('PUT', `/api/admin/prompts/${id}`, { text: ' ' })
    expect(blank.status).toBe(400)
  })

  test('A-API-26: deleting the current prompt makes another one current', async () => {
    const first = await create('first')
    const second = await create('second')
    const gone = await admin.call('DELETE', `/api/admin/prompts/${first.id}`)
    expect(gone.body).toEqual({ success: true, count: 1 })
    expect(await list()).toMatchObject([{ id: second.id, isCurrent: true }])
    expect((await admin.call('DELETE', `/api/admin/prompts/${first.id}`)).status).toBe(404)
  })

  test('A-API-27: the selected prompts are deleted, and only those', async () => {
    const [a, b, c] = [await create('a'), await create('b'), await create('c')]
    const response = await admin.post('/api/admin/prompts/delete-selected', {
      promptIds: [a.id, c.id, nobody],
    })
    expect(response.body).toEqual({ success: true, count: 2 })
    expect(await list()).toMatchObject([{ id: b.id, isCurrent: true }])
    const none = await admin.post<Failure>('/api/admin/prompts/delete-selected', { promptIds: [] })
    expect(none.status).toBe(400)
    expect(none.body.error).toBe('Please select at least one prompt')
  })

  test('A-API-28: Set Daily switches the one current prompt, and users see it', async () => {
    const [first, second] = [await create('first'), await create('second')]
    const user = await product.user()
    expect((await daily(user)).id).toBe(first.id)
    const set = await admin.post<PromptView>(`/api/admin/prompts/set-daily/${second.id}`)
    expect(set.body).toMatchObject({ id: second.id, isCurrent: true })
    expect((await list()).filter(({ isCurrent }) => isCurrent)).toHaveLength(1)
    expect((await daily(user)).id).toBe(second.id)
    expect((await admin.post(`/api/admin/prompts/set-daily/${nobody}`)).status).toBe(404)
  })

  test('A-PROMPT-7: concurrent changes and deletions leave exactly one current prompt', async () => {
    const prompts = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(create))
    await Promise.all(
      prompts.map(({ id }, i) =>
        i % 2 === 0
          ? admin.post(`/api/admin/prompts/set-daily/${id}`)
          : admin.call('DELETE', `/api/admin/prompts/${id}`),
      ),
    )
    expect((await list()).filter(({ isCurrent }) => isCurrent)).toHaveLength(1)
  })
})

describe('the prompt of the day', () => {
  test('U-API-6: four fields; an empty library is a 404 with a message', async () => {
    const user = await product.user()
    const none = await user.get<Failure>('/api/prompts/daily')
    expect(none.status).toBe(404)
    expect(none.body.error).toBe('There is no daily prompt')
    const { id } = await create('A kite')
    expect(await daily(user)).toEqual({ id, text: 'A kite', copyCount: 0, skipCount: 0 })
  })

  test('U-DAILY-1: the next day the least recently used prompt becomes current', async () => {
    const [a, b, c] = [await create('a'), await create('b'), await create('c')]
    const user = await product.user()
    const seen = [await daily(user)]
    for (let day = 0; day < 3; day++) {
      await letADayPass()
      seen.push(await daily(user))
    }
    expect(seen.map(({ id }) => id)).toEqual([a.id, b.id, c.id, a.id])
  })

  test('issue 39.3: the prompts that a user has copied are listed, and can be used after they are gone', async () => {
    const [kite, boat] = [await create('A kite <b>'), await create('A boat')]
    const user = await product.user()
    // After the frame, which shows the daily prompt.
    const page = async () =>
      (await openPage(user, '/prompts/used')).text.split('Daily prompts you used').at(-1) ?? ''
    expect(await page()).toContain('Copy the one in the menu, and it is kept here. Generate Video')
    for (const { id } of [kite, boat, kite]) await user.post(`/api/prompts/${id}/copy`)
    await admin.call('DELETE', `/api/admin/prompts/${kite.id}`)
    expect((await page()).match(/A (?:kite <b>|boat)/g)).toEqual(['A kite <b>', 'A boat'])
    const fill = (who: TestUser) => openPage(who, `/app?daily=${kite.id}`)
    expect((await fill(user)).text).toContain('A kite <b>')
    expect((await fill(await product.user())).text).not.toContain('A kite')
    await product.db.query(
      `insert into prompt_uses (user_id, prompt_id, text, used_at)
       select $1, gen_random_uuid(), 'old', now() - n * interval '1 day' from generate_series(1, 200) as n`,
      [user.userId],
    )
    await user.post(`/api/prompts/${boat.id}/copy`)
    const { rows } = await product.db.query('select 1 from prompt_uses where user_id = $1', [
      user.userId,
    ])
    expect(rows).toHaveLength(100)
  })

  test('U-DAILY-1: a prompt that an administrator set stays past the reset hour', async () => {
    const [, b] = [await create('a'), await create('b')]
    await admin.post(`/api/admin/prompts/set-daily/${b.id}`)
    await letADayPass()
    expect((await daily(await product.user())).id).toBe(b.id)
  })

  test('U-API-7: a copy is counted and returns the prompt to show', async () => {
    const { id } = await create('A kite')
    const user = await product.user()
    const response = await user.post(`/api/prompts/${id}/copy`)
    expect(response.status).toBe(200)
    expect(response.body).toEqual({ id, text: 'A kite', copyCount: 1, skipCount: 0 })
    expect((await user.post(`/api/prompts/${nobody}/copy`)).status).toBe(404)
    expect((await user.post('/api/prompts/x/copy')).status).toBe(404)
  })

  test('U-API-8: a skip is counted and moves only this user on, through all prompts, until the reset', async () => {
    const [a, b, c] = [await create('a'), await create('b'), await create('c')]
    const [user, other] = [await product.user(), await product.user()]
    const skipped = await user.post<DailyPrompt>(`/api/prompts/${a.id}/skip`)
    expect(skipped.body.id).toBe(b.id)
    expect((await daily(user)).id).toBe(b.id)
    expect(await daily(other)).toMatchObject({ id: a.id, skipCount: 1 })
    expect((await user.post<DailyPrompt>(`/api/prompts/${b.id}/skip`)).body.id).toBe(c.id)
    expect((await user.post<DailyPrompt>(`/api/prompts/${c.id}/skip`)).body.id).toBe(a.id)
    await user.post(`/api/prompts/${a.id}/skip`)
    await admin.post(`/api/admin/prompts/set-daily/${c.id}`)
    expect((await daily(user)).id).toBe(c.id)
    expect((await user.post(`/api/prompts/${nobody}/skip`)).status).toBe(404)
  })

  test('with one prompt in the library, a skip is counted and the prompt stays', async () => {
    const { id } = await create('only')
    const user = await product.user()
    expect((await user.post(`/api/prompts/${id}/skip`)).body).toMatchObject({ id, skipCount: 1 })
  })
})

test('A-API-1: users and editors are refused, visitors are sent to sign in', async () => {
  const calls = [
    ['GET', '/api/admin/prompts'],
    ['POST', '/api/admin/prompts'],
    ['POST', '/api/admin/prompts/bulk'],
    ['POST', '/api/admin/prompts/delete-selected'],
    ['PUT', `/api/admin/prompts/${nobody}`],
    ['DELETE', `/api/admin/prompts/${nobody}`],
    ['POST', `/api/admin/prompts/set-daily/${nobody}`],
  ] as const
  const clients = {
    403: [await product.user(), await product.user({ role: 'editor' })],
    401: [product.client()],
  }
  for (const [status, who] of Object.entries(clients)) {
    for (const client of who) {
      for (const [method, path] of calls) {
        const response = await client.call(method, path, method === 'GET' ? undefined : {})
        expect([method, path, response.status]).toEqual([method, path, Number(status)])
      }
    }
  }
})
