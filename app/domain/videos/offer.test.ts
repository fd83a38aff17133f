import { expect, test } from 'vitest'
import type { Capabilities } from '~/platform/providers/port'
import { clipSecondsOf, offerText, soldText } from './offer'

const USUAL = { model: 'veo3.1', seconds: 8, resolution: '720p', isSilent: false }

test('issue 52.5: only what differs from the specification’s clip is said', () => {
  expect(offerText(USUAL)).toBeNull()
  expect(offerText({ ...USUAL, seconds: 5, resolution: '1080p', isSilent: true })).toBe(
    '5 seconds, 1080p, without sound',
  )
  expect(soldText(USUAL, USUAL)).toBeNull()
  expect(soldText({ ...USUAL, model: 'wan2.6' }, USUAL)).toBe('Videos: made by wan2.6')
})

test('issue 52.5: the length is the nearest one to that of the provider, or to that of the installation', () => {
  const can = { durations: [4, 6, 8] } satisfies Partial<Capabilities>
  const lengthWith = (clipSeconds?: number) =>
    clipSecondsOf({ can: can as unknown as Capabilities, clipSeconds }, 8)
  expect([lengthWith(), lengthWith(5), lengthWith(1)]).toEqual([8, 4, 4])
})
