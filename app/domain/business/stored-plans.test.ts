import { expect, test } from 'vitest'
import { DEFAULT_PLANS } from '../plans/catalogue'
import { parsed } from './settings.server'

test('a plan that was stored before it had a field keeps what is sold', () => {
  const { isOffered: _, ...older } = { ...DEFAULT_PLANS.Starter, rupees: 350, videosPerDay: 33 }
  expect(parsed('plan.Starter', older)).toEqual({
    ...DEFAULT_PLANS.Starter,
    rupees: 350,
    videosPerDay: 33,
  })
  expect(parsed('plan.Starter', { ...older, rupees: 'many' })).toBeNull()
  expect(parsed('plan.Starter', undefined)).toBeNull()
})
