import { test } from 'vitest'
import { MOMENTS, useDoomedProduct } from '../../support/engine/kill-worker'

// All moments, with the preview renderer, are in kill-worker.slow.test.ts.
const expectOneVideo = useDoomedProduct('simulator')

test.each([
  'when the provider has the order, before its id is known',
  'when the clip is in place, before its row is written',
] as const)(
  'W-JOB-3: the worker is killed %s: one video, one charge, no manual repair',
  async (moment) => expectOneVideo(MOMENTS[moment]),
)
