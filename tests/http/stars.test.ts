import { afterEach, describe, expect, test } from 'vitest'
import type { VideoView } from '../../app/domain/videos/types'
import type { TestUser } from '../support/installation'
import { findViolations } from '../support/invariants'
import { openPage, sendForm } from '../support/page'
import { useInstallation } from '../support/shared-installation'
import { makeVideos, type VideoPage } from '../support/videos'

const product = useInstallation()

afterEach(async () => expect(await findViolations(product.db)).toEqual({}))

const make = async (user: TestUser, list: Parameters<typeof makeVideos>[2]) =>
  (await makeVideos(product, user.userId, list)).map(({ id }) => id)
const star = (user: TestUser, id: string, method: 'PUT' | 'DELETE' = 'PUT') =>
  user.call<{ success?: boolean; code?: string }>(method, `/api/videos/${id}/star`)
const listed = async (user: TestUser, query = '') =>
  (await user.get<VideoPage>(`/api/videos?${query}`)).body.videos.map(({ prompt }) => prompt)

const THREE = [
  { prompt: 'A kite' },
  { prompt: 'A boat' },
  { prompt: 'A train', status: 'error' },
] as const

describe('stars', () => {
  test('owners star their clips; lists, the feed and pages know them', async () => {
    const user = await product.user()
    const [kite = '', boat = '', train = ''] = await make(user, THREE)
    const start = (await user.get<{ version: number }>('/api/videos/changes')).body.version
    for (const _ of [1, 2]) expect((await star(user, kite)).body).toEqual({ success: true })
    expect((await star(user, train)).status).toBe(409)
    const other = await product.user()
    const admin = await product.user({ role: 'admin', expiry_date: null })
    for (const stranger of [other, admin]) {
      expect([
        (await star(stranger, boat)).status,
        (await star(stranger, kite, 'DELETE')).status,
      ]).toEqual([404, 404])
    }
    const feed = await user.get<{ videos: VideoView[] }>(`/api/videos/changes?since=${start}`)
    expect(feed.body.videos).toMatchObject([{ id: kite, starred: true }])
    expect(await listed(user, 'starred=yes')).toEqual(['A kite'])
    expect((await user.get('/api/videos?starred=no')).status).toBe(400)
    for (const path of ['/app?starred=yes', '/dashboard?starred=yes']) {
      const { text } = await openPage(user, path)
      expect([text.includes('A kite'), text.includes('A boat')]).toEqual([true, false])
    }
    expect((await star(user, kite, 'DELETE')).status).toBe(200)
    expect(await listed(user, 'starred=yes')).toEqual([])
  })

  test('U-DEL-2, U-DEL-1, U-API-21: deleting many leaves starred videos and says so; deleting one does not', async () => {
    const user = await product.user()
    const [kite = '', boat = '', train = ''] = await make(user, THREE)
    const starred = await sendForm(user, '/dashboard', { intent: 'star', on: kite })
    expect([starred.status, starred.text.includes('Starred')]).toEqual([303, true])
    const selection = { choice: 'selected', ids: [kite, boat, train] }
    const many = await sendForm(user, '/dashboard', { intent: 'star-selected', ...selection })
    expect(many.text).toContain('1 video starred')
    await sendForm(user, '/app', { intent: 'unstar-selected', choice: 'selected', ids: [boat] })

    const ids = [kite, boat].map((id) => `ids=${id}`).join('&')
    const asked = await openPage(user, `/dashboard?dialog=delete-selected&${ids}`)
    expect(asked.text).toContain('Delete 2 videos?')
    expect(asked.text).toContain('1 starred video is kept.')
    const deleted = await sendForm(user, '/dashboard', {
      intent: 'delete-selected',
      choice: 'selected',
      ids: [kite, boat],
    })
    expect(deleted.text).toContain('Videos deleted')
    const moved = '1 video was moved to the trash. 1 starred video was kept.'
    expect(deleted.text).toContain(moved)
    const call = await user.call('DELETE', '/api/videos/delete-by-status?status=all')
    const message = '1 video deleted. 1 starred video was kept.'
    expect(call.body).toEqual({ message, count: 1, kept: 1 })
    expect(await listed(user)).toEqual(['A kite'])

    const one = await openPage(user, `/dashboard?dialog=delete&on=${kite}`)
    expect(one.text).toContain('It is starred. For 7 days it stays in Recently deleted')
    expect((await user.call('DELETE', `/api/videos/${kite}`)).body).toEqual({ success: true })
    expect(await listed(user)).toEqual([])
  })

  test('Q-21: administrators who delete all that match are told what is kept', async () => {
    const [user, admin] = [
      await product.user(),
      await product.user({ role: 'admin', expiry_date: null }),
    ]
    const [kite = '', boat = ''] = await make(user, THREE)
    await star(user, kite)
    const list = `/admin/videos?user=${user.userId}`
    const asked = await openPage(admin, `${list}&dialog=delete-all`)
    expect(asked.text).toContain('will be deleted: 2 videos. 1 starred video is kept. They are')
    const ticked = {
      intent: 'delete-selected',
      choice: 'selected',
      scope: 'all',
      ids: [kite, boat],
    }
    expect((await sendForm(admin, list, ticked)).text).toContain('1 starred video was kept.')
    const filters = { status: 'all', user: user.userId, typed: '1', expected: '1' }
    const all = await sendForm(admin, list, { intent: 'delete-all', ...filters })
    expect(all.text).toContain('1 video deleted. 1 starred video was kept.')
    expect(await listed(user)).toEqual(['A kite'])
    const { rows } = await product.db.query(
      `select count from trail_entries
       where action like 'video%' and $1 in (subject_id::text, after ->> 'user') order by at`,
      [user.userId],
    )
    expect(rows).toEqual([{ count: 1 }, { count: 1 }])
  })
})
