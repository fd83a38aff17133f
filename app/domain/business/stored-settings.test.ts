import { expect, test } from 'vitest'
import { DEFAULT_PLANS } from '../plans/catalogue'
import { ENGLISH } from './chat-texts'
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

test('chat texts that were stored before an occasion was added stay, with our text for it', () => {
  const { unused: _, ...older } = { ...ENGLISH.texts, renewed: 'Renewed, {name}' }
  expect(parsed('chatTexts', [{ name: 'Urdu', texts: older }])).toEqual([
    { name: 'Urdu', texts: { ...older, unused: ENGLISH.texts.unused } },
  ])
})
