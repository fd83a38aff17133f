import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolations } from '../support/invariants'
import { fileNameWords } from '../../app/lib/text'
import type { TestUser } from '../support/installation'
import { useSimulatedInstallation } from '../support/shared-installation'
import { addVideos, type NewVideo } from '../support/ended-videos'
import { openPage, sendForm, submitForm } from '../support/page'
import { until } from '../support/wait'
import { readZipFile } from '../support/zip'
import type { VideoPage } from '../support/videos'

type User = TestUser
type Receipt = { message: string; count: number; batchId?: string; error?: string }

const { product } = useSimulatedInstallation('openai', { worker: true })
let admin: User
let ali: User
let bea: User
beforeAll(async () => {
  ;[admin, ali, bea] = await Promise.all([
    product.user({ role: 'admin', plan: 'Enterprise', video_limit: 100 }),
    product.user(),
    product.user(),
  ])
})
afterAll(async () => expect(await findViolations(product.db)).toEqual({}))

const add = (user: User, video: Partial<NewVideo> & { n?: number }) =>
  addVideos(product, { userId: user.userId, status: 'completed', ...video })
const clear = async () => {
  await product.db.query('delete from mass_changes')
  await product.db.query('delete from videos')
}
const page = async (path: string) => (await openPage(admin, path)).text
const statuses = async () => {
  const { rows } = await product.db.query<{ status: string; n: number }>(
    'select status::text, count(*)::int as n from videos where deleted_at is null group by 1 order by 1',
  )
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]))
}
const deleteAll = (status: string) =>
  admin.call<Receipt>('DELETE', `/api/admin/videos/delete-by-status?status=${status}`)

describe('the list of all videos', () => {
  test('A-API-16: the list call returns all users’ videos, and one’s own with scope=mine', async () => {
    await clear()
    await add(ali, { n: 2 })
    await add(bea, { n: 1, status: 'error' })
    const all = await admin.get<VideoPage>('/api/videos?page=1&limit=10000')
    expect(all.body.pagination.totalCount).toBe(3)
    expect(new Set(all.body.videos.map(({ user }) => user.username))).toEqual(
      new Set([ali.username, bea.username]),
    )
    const mine = await admin.get<VideoPage>('/api/videos?page=1&limit=10000&scope=mine')
    expect(mine.body.pagination.totalCount).toBe(0)
    const own = await ali.get<VideoPage>('/api/videos?scope=all')
    expect(own.body.pagination.totalCount).toBe(2)
  })

  test('A-API-16: an unchanged list is 304; a change of any user’s video is a new response', async () => {
    const first = await admin.get('/api/videos?page=1&limit=10000')
    const etag = first.headers.get('etag') ?? ''
    expect(etag).not.toBe('')
    const again = () =>
      admin.send('GET', '/api/videos?page=1&limit=10000', { headers: { 'if-none-match': etag } })
    expect((await again()).status).toBe(304)
    await add(bea, {})
    expect((await again()).status).toBe(200)
  })

  test('A-DELUSER-1, A-API-16: videos of a deleted user are listed nowhere, even before they are in the trash', async () => {
    await clear()
    await add(ali, { n: 2 })
    await add(bea, { n: 3 })
    const all = () => admin.send('GET', '/api/videos?page=1&limit=10000')
    const etag = (await all()).headers.get('etag') ?? ''
    // The state between a deletion of many users and the end of the clean-up job.
    await product.db.query('update users set deleted_at = now() where id = $1', [bea.userId])
    try {
      const list = await admin.send('GET', '/api/videos?page=1&limit=10000', {
        headers: { 'if-none-match': etag },
      })
      expect(list.status).toBe(200)
      const { videos, pagination } = JSON.parse(await list.text()) as VideoPage
      expect(pagination.totalCount).toBe(2)
      expect(new Set(videos.map(({ user }) => user.username))).toEqual(new Set([ali.username]))
      for (const query of ['', '?status=completed', `?user=${bea.userId}`, '?search=']) {
        const page = await (await admin.send('GET', `/admin/videos${query}`)).text()
        expect(page, query).not.toContain(`>${bea.username}<`)
      }
      const prompts = await admin.send('GET', '/resources/prompts?choice=all&scope=all')
      expect((await prompts.text()).match(/^\d+\./gm)).toHaveLength(2)
      // An action on all videos affects only those that are shown.
      expect((await deleteAll('all')).body).toEqual({ message: '2 videos deleted.', count: 2 })
      expect(await statuses()).toEqual({ completed: 3 })
    } finally {
      await product.db.query('update users set deleted_at = null where id = $1', [bea.userId])
    }
  })

  test('A-VID-9, A-VID-15: an archive of all users’ videos follows its filters, and a deletion affects only its status', async () => {
    await clear()
    for (const aspectRatio of ['portrait', 'landscape'] as const) {
      await add(ali, { aspectRatio, prompt: `ali ${aspectRatio}`, withFiles: true })
      await add(bea, { aspectRatio, prompt: `bea ${aspectRatio}`, withFiles: true })
    }
    await add(ali, { status: 'error', prompt: 'ali failed' })
    const held = async (query: string) => {
      const zip = await admin.send('GET', `/api/videos/archive?choice=filtered&scope=all&${query}`)
      expect(zip.status, query).toBe(200)
      const files = await readZipFile(Buffer.from(await zip.arrayBuffer()))
      const list = String(files.get('prompts.csv'))
      return [...list.matchAll(/(ali|bea) (portrait|landscape|failed)/g)].map(([all]) => all).sort()
    }
    expect(await held('status=completed')).toEqual([
      ...['ali landscape', 'ali portrait', 'bea landscape', 'bea portrait'],
    ])
    const both = 'status=completed&aspectRatio=portrait'
    expect(await held(both)).toEqual(['ali portrait', 'bea portrait'])
    expect(await held(`${both}&user=${bea.userId}`)).toEqual(['bea portrait'])
    expect(await held(`${both}&search=${ali.username}`)).toEqual(['ali portrait'])
    const nobody = await (await admin.send('GET', '/admin/videos?search=nobody')).text()
    expect(nobody).toContain('No videos match these filters.')
    expect((await deleteAll('error')).body.count).toBe(1)
    expect(await statuses()).toEqual({ completed: 4 })
  })

  test('A-API-18, A-API-19: an administrator downloads and deletes any user’s video', async () => {
    await clear()
    const [id] = await add(ali, { withFiles: true })
    const file = await admin.send('GET', `/api/videos/${id}/download`)
    expect(file.status).toBe(200)
    // The numbers are the owner's own, so the owner is part of the name.
    expect(file.headers.get('content-disposition')).toMatch(
      new RegExp(`filename="${fileNameWords(ali.username)}_\\d{4}_a-prompt\\.mp4"`),
    )
    await file.arrayBuffer()
    expect((await bea.call('DELETE', `/api/videos/${id}`)).status).toBe(404)
    expect((await admin.call('DELETE', `/api/videos/${id}`)).status).toBe(200)
    expect((await ali.get(`/api/videos/${id}/status`)).status).toBe(404)
    const { rows } = await product.db.query(
      `select 1 from trail_entries where action = 'video.delete' and subject_id = $1`,
      [ali.userId],
    )
    expect(rows).toHaveLength(1)
  })
})

test('the page of another user’s video offers administrators only what they can do', async () => {
  await clear()
  const [id = ''] = await add(ali, { status: 'error', prompt: 'Not the administrator’s' })
  const { text } = await openPage(admin, `/videos/${id}`)
  expect(text).toContain('Delete')
  expect(text).not.toContain('Retry')
  expect(text).toContain('Back to all videos')
  const own = await openPage(ali, `/videos/${id}`)
  expect(own.text).toContain('Retry')
  expect(own.text).toContain('Back to My Videos')
  const deleted = await sendForm(admin, `/videos/${id}`, { intent: 'delete', on: id })
  expect(deleted.location).toBe('/admin/videos')
})

describe('delete by status', () => {
  test('A-API-17: four statuses are accepted, others are 400, and users may not', async () => {
    await clear()
    await add(ali, { n: 2 })
    await add(bea, { n: 3, status: 'error' })
    for (const status of ['generating', '', 'ALL'])
      expect((await deleteAll(status)).status).toBe(400)
    expect((await admin.call('DELETE', '/api/admin/videos/delete-by-status')).status).toBe(400)
    const response = await ali.call('DELETE', '/api/admin/videos/delete-by-status?status=all')
    expect(response.status).toBe(403)

    expect((await deleteAll('error')).body).toEqual({ message: '3 videos deleted.', count: 3 })
    expect(await statuses()).toEqual({ completed: 2 })
    expect((await deleteAll('completed')).body).toEqual({ message: '2 videos deleted.', count: 2 })
    expect((await deleteAll('all')).body).toEqual({ message: '0 videos deleted.', count: 0 })
  })

  test('A-API-17: waiting videos leave the line with their units returned', async () => {
    await clear()
    const user = await product.user({ video_limit: 5, speed_limit: 1, plan: 'Starter' })
    for (let i = 0; i < 4; i++) {
      await user.post('/api/videos/generate', { prompt: `waiting ${i}`, aspectRatio: 'portrait' })
    }
    const { body } = await deleteAll('pending')
    expect(body.count).toBeGreaterThan(0)
    expect(await statuses()).not.toHaveProperty('pending')
    await until('the remaining videos to settle', async () => {
      const { rows } = await product.db.query(
        `select 1 from quota_charges where state = 'reserved'`,
      )
      return rows.length === 0
    })
  })

  test('A-API-17: many videos are deleted in the background with progress; later videos stay', async () => {
    await clear()
    await add(ali, { n: 450 })
    await add(bea, { n: 100, status: 'error' })
    const { status, body } = await deleteAll('completed')
    expect([status, body]).toEqual([200, { message: '450 videos are being deleted.', count: 450 }])
    const [later] = await addVideos(product, {
      userId: bea.userId,
      status: 'completed',
      createdAt: new Date(Date.now() + 60_000),
    })
    await until('all videos to be deleted', async () => {
      const { rows } = await product.db.query<{ done: number }>(
        'select done from mass_changes where finished_at is not null',
      )
      return rows[0]?.done === 450
    })
    expect(await statuses()).toEqual({ completed: 1, error: 100 })
    expect((await admin.get(`/api/videos/${later}/status`)).status).toBe(200)
  })
})

describe('regenerating', () => {
  test('A-API-21, A-VID-12, A-VID-14: only the selected ones, with a badge and without using the owner’s quota', async () => {
    await clear()
    const [chosen, other] = await add(ali, { n: 2, withFiles: true })
    const before = await ali.get<{ videosGeneratedToday: number }>('/api/auth/me')
    const refused = await admin.post('/api/admin/videos/regenerate-selected', { videoIds: [] })
    expect([refused.status, refused.body.error]).toEqual([400, 'No videos selected'])
    const strange = await admin.post('/api/admin/videos/regenerate-selected', {
      videoIds: [randomUUID()],
    })
    expect(strange.status).toBe(400)

    const key = { 'idempotency-key': randomUUID() }
    const order = () =>
      admin.post<Receipt>('/api/admin/videos/regenerate-selected', { videoIds: [chosen] }, key)
    const [first, ...others] = await Promise.all(Array.from({ length: 20 }, order))
    expect(first?.status).toBe(202)
    expect(first?.body).toMatchObject({ count: 1, message: '1 video queued for regeneration.' })
    for (const { status, body } of others) expect([status, body]).toEqual([202, first?.body])
    const video = await until('the video to be made again', async () => {
      const { body } = await ali.get(`/api/videos/${chosen}/status`)
      return body.status === 'completed' && body
    })
    expect(video).toMatchObject({ regeneratedByAdmin: true, regenerateCount: 1 })
    expect((await ali.get(`/api/videos/${other}/status`)).body).toMatchObject({
      regenerateCount: 0,
    })
    const after = await ali.get<{ videosGeneratedToday: number }>('/api/auth/me')
    expect(after.body.videosGeneratedToday).toBe(before.body.videosGeneratedToday)
    const { rows } = await product.db.query<{ user_id: string }>(
      'select user_id from attempts where video_id = $1',
      [chosen],
    )
    expect(rows).toEqual([{ user_id: admin.userId }])
    const { rows: entries } = await product.db.query(
      `select count, after from trail_entries where action = 'videos.regenerate'`,
    )
    expect(entries).toEqual([{ count: 1, after: { owners: ali.username } }])
  })

  test('A-API-20, A-VID-13: all completed and failed ones are made again in the background', async () => {
    await clear()
    await add(ali, { n: 2, status: 'error' })
    const madeAgain = (times: number) =>
      until('both videos to be made again', async () => {
        const { rows } = await product.db.query<{ n: number }>(
          `select regenerate_count as n from videos where status = 'completed'`,
        )
        return rows.length === 2 && rows.every(({ n }) => n === times)
      })
    const { status, body } = await admin.post<Receipt>('/api/admin/videos/regenerate-all')
    expect([status, body.count]).toEqual([202, 2])
    await madeAgain(1)

    // The form of the dialog is sent twenty times: one regeneration.
    const dialog = await (await admin.send('GET', '/admin/videos?dialog=regenerate-all')).text()
    const fields = Object.fromEntries(
      [...dialog.matchAll(/name="(formKey|formToken|expected)" value="([^"]+)"/g)].map(
        ([, name = '', value = '']) => [name, value],
      ),
    )
    const order = { ...fields, intent: 'regenerate-all', typed: '2' }
    const sent = await Promise.all(
      Array.from({ length: 20 }, () => admin.submit('/admin/videos?dialog=regenerate-all', order)),
    )
    expect(new Set(sent.map((response) => response.status))).toEqual(new Set([303]))
    await madeAgain(2)
  })

  test('P9: Regenerate All and Delete All reach what the filters show, and nothing else', async () => {
    await clear()
    await add(ali, { n: 2, status: 'error', prompt: 'a boat' })
    await add(ali, { n: 3, status: 'completed', prompt: 'a kite', withFiles: true })
    await add(bea, { n: 1, status: 'error', prompt: 'a boat' })
    const failed = await page('/admin/videos?status=error')
    expect(failed).toContain('Regenerate All Failed')
    const press = async (query: string, intent: 'regenerate-all' | 'delete-all') => {
      const path = `/admin/videos?${query}&dialog=${intent}`
      const html = (await (await admin.send('GET', path)).text()).replaceAll('<!-- -->', '')
      const dialog = /<dialog[\s\S]*?<\/dialog>/.exec(html)?.[0] ?? ''
      const fields = Object.fromEntries(
        [...dialog.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
          ([, name = '', value = '']) => [name, value],
        ),
      )
      const response = await admin.submit(path, { ...fields, intent, typed: fields.expected ?? '' })
      return [Number(fields.expected), response.status]
    }
    expect(await press(`status=error&user=${ali.userId}`, 'regenerate-all')).toEqual([2, 303])
    const again = async () => {
      const { rows } = await product.db.query<{ id: string }>(
        'select user_id as id from videos where regenerate_count = 1',
      )
      return rows.map(({ id }) => id)
    }
    await until('both to be made again', async () => {
      const { rows } = await product.db.query(
        `select 1 from videos where regenerate_count = 1 and status = 'completed'`,
      )
      return rows.length === 2
    })
    expect(await again()).toEqual([ali.userId, ali.userId])
    expect(await press('status=completed&words=KITE', 'delete-all')).toEqual([3, 303])
    expect(await statuses()).toEqual({ completed: 2, error: 1 })
    const strange = { status: 'error', user: 'nobody', expected: '1', typed: '1' }
    const refused = await sendForm(admin, '/admin/videos', { ...strange, intent: 'delete-all' })
    expect(refused.status).toBe(400)
  })

  test('P15: prompts are searched across users, and All Prompts follows the filters with usernames', async () => {
    await clear()
    await add(ali, { prompt: 'a red boat' })
    await add(bea, { prompt: 'a boat at night' })
    await add(bea, { prompt: 'a kite' })
    expect(await page('/admin/videos?words=boat')).toContain('of 2 videos')
    expect(await page(`/admin/videos?words=boat&user=${bea.userId}`)).toContain('of 1 videos')
    const file = async (query: string) =>
      (await admin.send('GET', `/resources/prompts?choice=filtered&scope=all&${query}`)).text()
    expect(await file(`user=${bea.userId}`)).toBe(
      `1. a boat at night\n(${bea.username})\n\n2. a kite\n(${bea.username})\n`,
    )
    expect(await file('words=red')).toBe(`1. a red boat\n(${ali.username})\n`)
    // The list call, with which scripts find what to download.
    const { body } = await admin.get<VideoPage>(`/api/videos?scope=all&user=${bea.userId}`)
    expect(body.videos).toHaveLength(2)
  })

  test('P7, P11: an administrator sees why a video waits and what the provider said', async () => {
    await clear()
    const [id = ''] = await add(ali, { status: 'error', prompt: 'refused' })
    await product.db.query(
      `insert into attempts (id, video_id, generation, n, user_id, lane, state, provider, model,
         account_scope, deadline_at, settled_at, fault, evidence)
       select gen_random_uuid(), id, generation, 1, user_id, 0, 'failed', 'openai-videos', 'm', 's',
         now(), now(), 'rate-limited', '{"message": "Too many jobs for your tier", "status": 429}'
       from videos where id = $1`,
      [id],
    )
    const record = (await openPage(admin, `/videos/${id}`)).text
    expect(record).toContain('The provider said (429): Too many jobs for your tier')
    expect((await openPage(ali, `/videos/${id}`)).text).not.toContain('Too many jobs')
  })

  test('a regeneration of all without matching videos is reported', async () => {
    await clear()
    expect((await admin.post('/api/admin/videos/regenerate-all')).status).toBe(400)
    expect((await ali.post('/api/admin/videos/regenerate-all')).status).toBe(403)
  })
})

describe('the trash', () => {
  const exists = async (key: string | undefined) =>
    fs.access(path.join(product.dataDir, 'videos', key ?? '')).then(
      () => true,
      () => false,
    )
  const keyOf = async (id: string | undefined) => {
    const { rows } = await product.db.query<{ file_key: string }>(
      'select file_key from videos where id = $1',
      [id],
    )
    return rows[0]?.file_key
  }
  const restore = (id: string | undefined) =>
    submitForm(admin, '/admin/videos/trash', { intent: 'restore', ids: id ?? '' })

  test('A-VID-15: a video that its owner deleted is restored with its file', async () => {
    await clear()
    const [id] = await add(ali, { withFiles: true })
    await ali.call('DELETE', `/api/videos/${id}`)
    expect(await exists(await keyOf(id))).toBe(true)
    const page = await (await admin.send('GET', '/admin/videos/trash')).text()
    expect(page).toContain(ali.username)
    expect(page).toContain('has a clip')
    const restored = await restore(id)
    expect(restored.status).toBe(303)
    expect((await ali.get(`/api/videos/${id}/status`)).body).toMatchObject({ status: 'completed' })
    const media = await ali.send('GET', `/media/${id}.mp4`)
    expect(media.status).toBe(200)
    await media.arrayBuffer()
    const again = await restore(id)
    expect(again.status).toBe(409)
  })

  test('A-VID-15: a video of a deleted user is restored with its user only', async () => {
    await clear()
    const user = await product.user()
    const [id] = await add(user, { withFiles: true })
    await user.call('DELETE', `/api/videos/${id}`)
    await admin.call('DELETE', `/api/admin/users/${user.userId}`)
    expect((await restore(id)).status).toBe(409)
    const { rows } = await product.db.query('select deleted_at from videos where id = $1', [id])
    expect(rows).not.toEqual([{ deleted_at: null }])
  })

  test('A-VID-15: a deleted video that was waiting is restored as cancelled, its unit returned', async () => {
    await clear()
    const user = await product.user({ speed_limit: 1, video_limit: 5, plan: 'Starter' })
    const ids: string[] = []
    for (let i = 0; i < 3; i++) {
      const { body } = await user.post<{ id: string }>('/api/videos/generate', { prompt: `p${i}` })
      ids.push(body.id)
    }
    const last = ids[2]
    await user.call('DELETE', `/api/videos/${last}`)
    await restore(last)
    const { body } = await user.get(`/api/videos/${last}/status`)
    expect(body).toMatchObject({ status: 'error', errorMessage: 'Cancelled' })
    await until('the other videos', async () => (await statuses()).completed === 2)
  })

  test('A-VID-15: row and files are removed after seven days, not before', async () => {
    await clear()
    const [old, young] = await add(ali, { n: 2, withFiles: true })
    await ali.call('DELETE', `/api/videos/${old}`)
    await ali.call('DELETE', `/api/videos/${young}`)
    const keys = { old: await keyOf(old), young: await keyOf(young) }
    const age = (id: string | undefined, interval: string) =>
      product.db.query(`update videos set deleted_at = engine_now() - $2::interval where id = $1`, [
        id,
        interval,
      ])
    await age(old, '7 days 1 second')
    await age(young, '6 days 23 hours 59 minutes')
    await product.db.query(`select graphile_worker.add_job('videos.purge-trash', '{}')`)
    await until('the old file to be deleted', async () => !(await exists(keys.old)))
    expect(await keyOf(old)).toBeUndefined()
    expect(await exists(keys.young)).toBe(true)
    expect(await keyOf(young)).toBe(keys.young)
  })
})
