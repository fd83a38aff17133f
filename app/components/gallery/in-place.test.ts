import { expect, test } from 'vitest'
import { toCard } from '~/domain/videos/rules'
import type { GalleryPage } from '~/domain/videos/types'
import { inPlace, waitingBefore } from './in-place'
import { NO_VIDEOS, testVideo } from './test-video'

/** Cards by name, the newest first: 'z' was made after 'a'. */
const cards = (names: string, status: 'pending' | 'completed' = 'completed') =>
  Array.from(names).map((name) => ({
    ...toCard(testVideo(name, status)),
    createdAt: `2026-01-01T00:00:${String(name.charCodeAt(0) - 40).padStart(2, '0')}.000Z`,
  }))
const pageOf = (names: string, limit = 3): GalleryPage => ({
  videos: cards(names),
  pagination: { page: 1, limit, totalPages: 1, totalCount: names.length },
  filters: { status: 'all', aspectRatio: 'all', search: '' },
  counts: { ...NO_VIDEOS, portrait: NO_VIDEOS, landscape: NO_VIDEOS },
  version: 1,
  isMissing: false,
})
const names = (shown: { id: string }[] | null) => shown?.map(({ id }) => id).join('') ?? null

test.each([
  ['new ones wait, and those that they push out stay', 'CBA', 'EDC', [], 'CBA', 2],
  ['a deleted one goes, and one moves up at the end', 'CBA', 'DC9', ['B', 'A'], 'C9', 1],
  ['nothing new: the list as it is', 'CBA', 'CBA', [], null, 0],
  ['all are gone: the list as it is', 'CBA', '987', ['C', 'B', 'A'], null, 0],
])('cards under the pointer: %s', (_name, shown, next, gone, expected, waiting) => {
  const page = pageOf(next)
  const now = inPlace(cards(shown), page, { gone, changed: [] })
  expect(names(now)).toBe(expected)
  expect(waitingBefore(now ?? page.videos, page)).toBe(waiting)
})

test('cards under the pointer: one that fits the filter no more changes in its place', () => {
  const changed = cards('B')
  const now = inPlace(cards('CBA', 'pending'), pageOf('DCA', 4), { gone: [], changed })
  expect(now?.map(({ id, status }) => `${id} ${status}`)).toEqual([
    'C completed',
    'B completed',
    'A completed',
  ])
})

test('cards under the pointer: what the list lacks is gone, unless it is older than a full list', () => {
  expect(names(inPlace(cards('CBA'), pageOf('DCA', 4)))).toBe('CA')
  expect(names(inPlace(cards('CB9'), pageOf('ECA')))).toBe('C9')
})
