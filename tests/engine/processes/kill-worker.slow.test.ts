import { test } from 'vitest'
import { MOMENTS, useDoomedProduct } from '../../support/engine/kill-worker'

const expectOneVideo = useDoomedProduct('preview')

test.each(Object.entries(MOMENTS))(
  'W-JOB-3: the worker is killed %s: one video, one charge, no manual repair',
  async (_moment, killAt) => expectOneVideo(killAt),
)
