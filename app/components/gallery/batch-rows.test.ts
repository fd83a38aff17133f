import { expect, test } from 'vitest'
import { FAILURE_TEXT, toCard } from '~/domain/videos/rules'
import type { BatchHead } from '~/domain/videos/types'
import { galleryRows } from './batch-rows'
import { testVideo } from './test-video'

const head = (id: string, states: Partial<BatchHead> = {}): BatchHead => ({
  id,
  name: id,
  createdAt: '2026-01-01T00:00:00.000Z',
  ready: 0,
  inProgress: 0,
  failed: 0,
  cancelled: 0,
  gone: 0,
  ...states,
})

const card = (id: string, batchId: string | null, status: 'completed' | 'error' = 'completed') =>
  toCard(
    testVideo(id, status, {
      batchId,
      errorMessage: status === 'error' ? FAILURE_TEXT.cancelled : null,
    }),
  )

test('cards are grouped by batch, and what was cancelled is one row', () => {
  const cards = [
    card('single', null),
    card('1', 'a'),
    card('2', 'a', 'error'),
    card('3', 'a', 'error'),
    card('later', null),
    card('4', 'b'),
  ]
  const rows = galleryRows(cards, [head('a', { ready: 1, inProgress: 2 }), head('b', { ready: 9 })])
  expect(rows.map(({ kind, key }) => `${kind} ${key}`)).toEqual([
    'card single',
    'batch a head',
    'card 1',
    'cancelled a cancelled',
    'singles later head',
    'card later',
    'batch b head',
    'card 4',
  ])
  // All cards of the first batch are here, so they tell how it stands; of the second, one of nine.
  expect(rows[1]).toMatchObject({ batch: { ready: 1, inProgress: 0, cancelled: 2 } })
  expect(rows[6]).toMatchObject({ batch: { ready: 9 } })
})

test('cards of a batch that is not known stand alone', () => {
  const rows = galleryRows([card('1', 'of-somebody'), card('2', null)])
  expect(rows.map(({ kind }) => kind)).toEqual(['card', 'card'])
})
