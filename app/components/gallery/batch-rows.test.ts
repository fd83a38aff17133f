import { expect, test } from 'vitest'
import { toCard } from '~/domain/videos/rules'
import type { BatchHead, CardView, FilterValues } from '~/domain/videos/types'
import { galleryRows } from './batch-rows'
import { NO_VIDEOS, testVideo } from './test-video'

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()

const head = (id: string, more: Partial<BatchHead> = {}): BatchHead => ({
  id,
  name: id,
  createdAt: at(0),
  isRunning: false,
  isPaused: false,
  finishEstimate: null,
  ...NO_VIDEOS,
  ready: 0,
  waiting: 0,
  carried: 0,
  gone: 0,
  ...more,
})

const card = (id: string, batchId: string | null, second = 0) =>
  toCard(testVideo(id, 'completed', { batchId, createdAt: at(second) }))

type Shown = { filters?: Partial<FilterValues>; page?: number; totalPages?: number }

const rowsOf = (videos: CardView[], batches: BatchHead[], shown: Shown = {}) => {
  const { filters, page = 1, totalPages = 1 } = shown
  return galleryRows({
    videos,
    batches,
    filters: { status: 'all', aspectRatio: 'all', search: '', ...filters },
    pagination: { page, totalPages, limit: 50, totalCount: videos.length },
  }).map(({ kind, key }) => `${kind} ${key}`)
}

test('cards are grouped by batch, below its strip', () => {
  const cards = [card('single', null), card('1', 'a'), card('later', null), card('4', 'b')]
  expect(rowsOf(cards, [head('a'), head('b')])).toEqual([
    'card single',
    'batch a strip',
    'card 1',
    'singles later head',
    'card later',
    'batch b strip',
    'card 4',
  ])
})

test('a batch that goes on for days has its strip above each of its groups', () => {
  const cards = [card('new', 'a'), card('single', null), card('old', 'a')]
  expect(rowsOf(cards, [head('a')])).toEqual([
    'batch a strip',
    'card new',
    'singles single head',
    'card single',
    'batch a old strip',
    'card old',
  ])
})

test('cards of a batch that is not known stand alone', () => {
  expect(rowsOf([card('1', 'of-somebody'), card('2', null)], [])).toEqual(['card 1', 'card 2'])
})

test('issue 51.2: a batch without a card has its strip by its time, the running one above all', () => {
  const cards = [card('new', null, 9), card('old', null, 1)]
  const stopped = head('stopped', { cancelled: 3, createdAt: at(5) })
  const running = head('running', { waiting: 3, isRunning: true, createdAt: at(0) })
  const over = head('over', { createdAt: at(5) })
  expect(rowsOf(cards, [stopped, running, over])).toEqual([
    'batch running strip',
    'singles new head',
    'card new',
    'batch stopped strip',
    'singles old head',
    'card old',
  ])
})

test('issue 51.2: strips without a card are only where what they tell of is asked for', () => {
  const stopped = head('stopped', { cancelled: 3, createdAt: at(5) })
  const shown = (more: Shown) => rowsOf([card('new', null, 9)], [stopped], more).length
  expect(shown({})).toBe(2)
  expect(shown({ filters: { status: 'pending' } })).toBe(2)
  for (const filters of [{ status: 'completed' }, { status: 'error' }, { search: 'x' }] as const)
    expect(shown({ filters })).toBe(1)
  // What is older than the page is on another one.
  expect([shown({ page: 2, totalPages: 3 }), shown({ totalPages: 3 })]).toEqual([1, 1])
})
