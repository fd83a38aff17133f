import { test } from 'vitest'
import { MOMENTS, useDoomedProduct } from '../../support/engine/kill-worker'

// All moments, with the preview renderer, are in kill-worker.slow.test.ts.
const expectOneVideo = useDoomedProduct('simulator')
const MOMENT = 'when the clip is in place, before its row is written'

test(`W-JOB-3: the worker is killed ${MOMENT}: one video, one charge, no manual repair`, () =>
  expectOneVideo(MOMENTS[MOMENT]))
