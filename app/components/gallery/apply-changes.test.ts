import { describe, expect, test } from 'vitest'
import type { FilterValues, GalleryPage, VideoView } from '~/domain/videos/types'
import { applyChanges } from './apply-changes'
import { NO_VIDEOS, testVideo } from './test-video'

const counts = { ...NO_VIDEOS, portrait: NO_VIDEOS, landscape: NO_VIDEOS }
const video = (id: string, status: VideoView['status'], batchId = 'batch') =>
  testVideo(id, status, { batchId })
const page = (filters: Partial<FilterValues>, of: readonly VideoView[]): GalleryPage => ({
  videos: of.map((one) => ({ ...one, isCut: false })),
  pagination: { page: 1, limit: 2, totalPages: 2, totalCount: 4 },
  filters: { status: 'all', aspectRatio: 'all', search: '', inOrder: 'batch', ...filters },
  counts,
  version: 1,
  isMissing: false,
})
const change = (videos: readonly VideoView[], deletedIds: readonly string[] = []) => ({
  version: 2,
  videos,
  deletedIds,
  counts,
})

describe('a gallery in the order of a batch', () => {
  const shown = [video('b', 'pending'), video('a', 'pending')]

  test('changed videos keep their places, and no other videos are inserted', () => {
    const news = [video('a', 'completed'), video('c', 'completed'), video('x', 'pending', 'other')]
    const { page: now, needsReload } = applyChanges(page({}, shown), change(news))
    expect(now.videos.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'b pending',
      'a completed',
    ])
    expect([now.version, now.pagination.totalCount, needsReload]).toEqual([2, 4, false])
  })

  test.each([
    ['one is deleted', {}, change([], ['z'])],
    ['one does not fit the filter any more', { status: 'pending' }, change([video('a', 'error')])],
    ['another one begins to fit it', { status: 'pending' }, change([video('c', 'generating')])],
  ] as const)('the list is loaded again if %s', (_name, filters, changes) => {
    expect(applyChanges(page(filters, shown), changes).needsReload).toBe(true)
  })

  test('changes outside the batch do not reload a filtered batch', () => {
    const news = change([video('x', 'generating', 'other')])
    expect(applyChanges(page({ status: 'pending' }, shown), news).needsReload).toBe(false)
  })
})
