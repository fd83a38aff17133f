import { describe, expect, test } from 'vitest'
import type { FilterValues, GalleryPage, VideoView } from '~/domain/videos/types'
import { applyChanges } from './apply-changes'
import { NO_VIDEOS, testVideo } from './test-video'

const counts = { ...NO_VIDEOS, portrait: NO_VIDEOS, landscape: NO_VIDEOS }
const video = (id: string, status: VideoView['status'], batchId = 'batch', regenerateCount = 0) =>
  testVideo(id, status, { batchId, regenerateCount })
const ONE_PAGE = { page: 1, limit: 20, totalPages: 1, totalCount: 0 }
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
  waiting: { portrait: 0, landscape: 0 },
  batches: [],
})

describe('a gallery in the order of a batch', () => {
  const shown = [video('b', 'generating'), video('a', 'generating')]

  test('changed videos keep their places, and no other videos are inserted', () => {
    const news = [video('a', 'completed'), video('c', 'pending'), video('x', 'completed', 'other')]
    const { page: now, needsReload } = applyChanges(page({}, shown), change(news))
    expect(now.videos.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'b generating',
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

describe('issue 51.2: a gallery while a batch is running', () => {
  const portrait = { ...NO_VIDEOS, total: 4, completed: 1, inProgress: 2, cancelled: 1 }
  const ofBatch = { ...portrait, portrait, landscape: NO_VIDEOS }
  const waiting = { portrait: 1, landscape: 0 }

  test('a prompt becomes a card when it is sent, and the count is of cards', () => {
    const before = { ...page({ inOrder: undefined }, []), pagination: ONE_PAGE }
    const news = [
      video('waits', 'pending'),
      video('sent', 'generating'),
      video('again', 'pending', 'batch', 1),
      testVideo('cancelled', 'error', { batchId: 'batch', errorMessage: 'Cancelled' }),
    ]
    const changes = { ...change(news), counts: ofBatch, waiting }
    const { page: now, needsReload } = applyChanges(before, changes)
    expect(now.videos.map(({ id }) => id).sort()).toEqual(['again', 'sent'])
    expect([now.pagination.totalCount, needsReload]).toEqual([2, false])
  })
})
