import { describe, expect, test } from 'vitest'
import { TEST_INPUTS } from '~/domain/batches/test-inputs'
import type { Work } from '~/domain/batches/work'
import type { UnderWay } from '~/domain/videos/gallery/pulse'
import type { GalleryPage, VideoView } from '~/domain/videos/types'
import { isNews, afterReload, startOf, withAnswer, withPulse, type FeedAnswer } from './live-state'
import { NO_VIDEOS, testVideo } from './test-video'

const counts = (completed: number, inProgress: number) => {
  const all = { ...NO_VIDEOS, total: completed + inProgress, completed, inProgress }
  return { ...all, portrait: all, landscape: NO_VIDEOS }
}
const quota = {
  limit: 20,
  used: 1,
  inProgress: 1,
  remaining: 19,
  clipUnits: 1,
  usedThisMonth: 1,
  daysInMonth: 30,
  resetsAt: '2026-01-02T00:00:00.000Z',
  timeZone: 'UTC',
}
const gallery = (version: number, of: readonly VideoView[], page = 1): GalleryPage => {
  const done = of.filter(({ status }) => status === 'completed').length
  return {
    videos: of.map((one) => ({ ...one, isCut: false })),
    counts: counts(done, of.length - done),
    pagination: { page, limit: 20, totalPages: 1, totalCount: of.length },
    filters: { status: 'all', aspectRatio: 'all', search: '' },
    version,
    isMissing: false,
  }
}
const work = (watched: VideoView | null, single: VideoView | null): Work => ({
  singlesAhead: null,
  standing: 'ok',
  progress: null,
  watched,
  single,
  estimateInputs: TEST_INPUTS,
})
const underWay: UnderWay = { now: '', holds: [], making: [], usualMs: 40_000 }
const running = testVideo('a', 'generating')
const finished = testVideo('a', 'completed')
const liveData = (version: number, of = [running], page = 1) => ({
  page: gallery(version, of, page),
  quota,
  ...underWay,
  work: work(of.find(({ status }) => status === 'generating') ?? null, null),
})
const answer = (version: number, more: Partial<FeedAnswer> = {}): FeedAnswer => ({
  version,
  videos: [finished],
  deletedIds: [],
  counts: counts(1, 0),
  waiting: { portrait: 0, landscape: 0 },
  batches: [],
  isShort: false,
  quota,
  underWay,
  work: work(finished, null),
  ...more,
})

describe('a response of the change feed', () => {
  test('is shown as a whole, and an ended video is no longer followed', () => {
    const state = withAnswer(startOf(liveData(1)), answer(2))
    expect(state.page.videos[0]?.status).toBe('completed')
    expect(state.page.counts.inProgress).toBe(0)
    expect(state).toMatchObject({ wants: 'nothing', follows: null, work: { watched: finished } })
  })

  test.each([
    ['it holds only a part', { isShort: true }],
    ['cards move in from other pages', { counts: counts(5, 0) }],
  ])('is not shown at all if the list must be loaded with it: %s', (_name, more) => {
    const before = startOf(liveData(1))
    const state = withAnswer(before, answer(2, more))
    expect(state).toEqual({ ...before, wants: 'list' })
    const whole = withAnswer(state, answer(2, { ...more, gallery: gallery(2, [finished]) }))
    expect(whole).toMatchObject({ wants: 'nothing', page: { version: 2 } })
  })

  test('also updates the work under way on a page that follows nothing', () => {
    const making = [{ id: 'a', percent: 40, seconds: 3, hasStill: false, checkedUntil: null }]
    const now = { ...underWay, making, holds: [{ reason: 'down', videos: 1, nextTryAt: null }] }
    const { work: _, ...news } = answer(2, { underWay: now })
    const state = withAnswer(startOf({ ...liveData(1), work: null }), news)
    expect(state).toMatchObject({ ...now, work: null })
  })

  test('is dropped and requested again if it is older', () => {
    const before = startOf(liveData(3))
    expect(withAnswer(before, answer(2))).toEqual({ ...before, wants: 'news' })
  })
})

describe('a page that is loaded again', () => {
  test('replaces what is shown, unless it is older', () => {
    const state = withAnswer(startOf(liveData(1)), answer(5))
    expect(afterReload(state, liveData(5, [finished]))).toMatchObject({ wants: 'nothing' })
    const made = liveData(4)
    const next = afterReload(state, made)
    expect(next.page.videos[0]?.status).toBe('completed')
    expect(next).toMatchObject({ wants: 'news', page: { version: 5 }, loaded: made.page })
  })

  test('with another list is shown even if it is older, and news is requested at once', () => {
    const next = afterReload(startOf(liveData(5)), liveData(4, [running], 2))
    expect(next).toMatchObject({ wants: 'news', page: { version: 4, pagination: { page: 2 } } })
  })

  test('that no longer includes the followed video still follows it', () => {
    const next = afterReload(startOf(liveData(1)), liveData(2, [finished]))
    expect(next).toMatchObject({ wants: 'news', follows: 'a' })
  })
})

describe('a pulse', () => {
  const hold = { reason: 'down', videos: 1, nextTryAt: null }
  test.each([
    ['nothing new', { version: 1, holds: [] }, false],
    ['another version', { version: 2, holds: [] }, true],
    ['a hold, which no version tells', { version: 1, holds: [hold] }, true],
    ['an answer that was overtaken', { version: 0, holds: [hold] }, false],
  ])('%s', (_name, pulse, expected) => {
    expect(isNews(liveData(1), { ...pulse, making: [] })).toBe(expected)
  })

  test('updates the progress, but only for the same version', () => {
    const making = [{ id: 'a', percent: 40, seconds: 3, hasStill: false, checkedUntil: null }]
    const state = startOf(liveData(1))
    expect(withPulse(state, { version: 1, holds: [], making }).making).toEqual(making)
    expect(withPulse(state, { version: 2, holds: [], making })).toBe(state)
    const told = withPulse(state, { version: 1, holds: [], making })
    expect(withPulse(told, { version: 1, holds: [], making: [...making] })).toBe(told)
  })
})
