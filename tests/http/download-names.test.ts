import { afterEach, describe, expect, test } from 'vitest'
import type { DownloadChoices } from '../../app/domain/videos/gallery/download-options.server'
import { textOf } from '../support/html'
import type { TestUser } from '../support/installation'
import { findViolations } from '../support/invariants'
import { useInstallation } from '../support/shared-installation'
import { makeVideos } from '../support/videos'
import { readZipFile } from '../support/zip'

const product = useInstallation()

afterEach(async () => expect(await findViolations(product.db)).toEqual({}))

async function archiveOf(user: TestUser, query = ''): Promise<string[]> {
  const response = await user.send('GET', `/api/videos/archive?${query}`)
  const files = await readZipFile(Buffer.from(await response.arrayBuffer()))
  return [...files.keys()].filter((name) => name.endsWith('.mp4'))
}

async function nameOf(user: TestUser, id: string): Promise<string | undefined> {
  const response = await user.send('GET', `/api/videos/${id}/download`)
  await response.arrayBuffer()
  return /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
}

describe('downloads', () => {
  test('U-DL-1: a clip has one name in every download, with its number among its owner’s videos', async () => {
    const [user, other] = [await product.user(), await product.user()]
    const make = (prompt: string) => makeVideos(product, user.userId, [{ prompt }])
    const [first] = await make('A boat')
    await makeVideos(product, other.userId, [{ prompt: 'Not mine' }])
    await makeVideos(product, user.userId, [{ prompt: 'A boat', status: 'error' }])
    const [third] = await make('A boat')
    expect(await nameOf(user, third!.id)).toBe('0003_a-boat.mp4')
    expect(await archiveOf(user)).toEqual(['0001_a-boat.mp4', '0003_a-boat.mp4'])
    expect(await archiveOf(user, `ids=${third!.id}`)).toEqual(['0003_a-boat.mp4'])
    // Neither later videos nor the end of earlier ones change it.
    await user.call('DELETE', `/api/videos/${first!.id}`)
    await product.db.query('delete from videos where id = $1', [first!.id])
    await make('A boat')
    expect(await archiveOf(user)).toEqual(['0003_a-boat.mp4', '0004_a-boat.mp4'])
    expect(await nameOf(user, third!.id)).toBe('0003_a-boat.mp4')
    // For administrators the owner is part of the name.
    const admin = await product.user({ role: 'admin' })
    expect(await nameOf(admin, third!.id)).toMatch(/^.+_0003_a-boat\.mp4$/)
  })

  test('U-DL-5: a name is used whole in the names of files and stands in the list of an archive', async () => {
    const user = await product.user()
    const [named, signs] = await makeVideos(product, user.userId, [
      { prompt: 'A boat', clip_name: 'Scene 12, take 3: the market at dawn, wide' },
      { prompt: 'A kite', clip_name: '→' },
    ])
    const names = ['0001_scene-12-take-3-the-market-at-dawn-wide.mp4', '0002_a-kite.mp4']
    expect(await archiveOf(user)).toEqual(names)
    expect([await nameOf(user, named!.id), await nameOf(user, signs!.id)]).toEqual(names)
    const response = await user.send('GET', '/api/videos/archive')
    const files = await readZipFile(Buffer.from(await response.arrayBuffer()))
    const list = String(files.get('prompts.csv')).split('\n')
    expect(list[0]).toContain('number,file,name,prompt,')
    expect(list[1]).toContain(`1,${names[0]},"Scene 12, take 3: the market at dawn, wide",A boat,`)
  })

  test('a download first says how many clips it has and their size: all, by the filters, by days (C15)', async () => {
    const user = await product.user()
    await makeVideos(product, user.userId, [
      { prompt: 'A kite' },
      { prompt: 'A boat' },
      { prompt: 'A boat', status: 'error' },
    ])
    const ask = async (query: string) =>
      (await user.get<DownloadChoices>(`/api/videos/downloads?${query}`)).body.options
    const clip = 64
    expect(await ask('')).toMatchObject([
      { kind: 'all', count: 2, bytes: 2 * clip },
      { kind: 'today', count: 0, bytes: 0 },
      { kind: 'yesterday', count: 0 },
      { kind: '7-days', count: 0 },
    ])
    const options = await ask('search=boat&status=all&rangeFirst=2026-01-01&rangeLast=2026-01-01')
    expect(options).toMatchObject([
      { kind: 'all', count: 2 },
      { kind: 'filtered', count: 1, bytes: clip },
      { kind: 'today', count: 0 },
      { kind: 'yesterday', count: 0 },
      { kind: '7-days', count: 0 },
      { kind: 'range', count: 2, first: '2026-01-01' },
    ])
    expect(await archiveOf(user, options[1]?.query)).toEqual(['0002_a-boat.mp4'])
    const page = await (await user.send('GET', '/videos/download?search=boat')).text()
    expect(textOf(page)).toContain('Those that match the filters 1 video, 1 kB')
    expect(page).toContain('choice=filtered&amp;scope=mine&amp;search=boat')
    const none = await product.user()
    const sent = await none.send('GET', '/videos/download?from=%2Fapp')
    expect(sent.headers.get('location')).toBe('/app')
    expect(await (await none.send('GET', '/app')).text()).toContain('No completed videos found')
  })
})
