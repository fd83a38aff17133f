import { z } from 'zod'
import type { SurpriseName } from './outcome'

// The ticks with which a seller confirms what surprises (outcome.ts).

/** The ticks of a form by the surprise that each confirms. */
export const SEEN = {
  role: 'seenRole',
  trash: 'seenTrash',
  disabled: 'seenDisabled',
  expired: 'seenExpired',
  plan: 'seenPlan',
  days: 'seenDays',
  price: 'seenPrice',
  reward: 'seenReward',
} as const satisfies Record<SurpriseName, string>

const tick = z.boolean({ invalid_type_error: 'Must be true or false' }).default(false)

/**
 * The ticks of the forms that sell. `isEnabled` and `isRestored` change what surprises instead; with
 * `isAsked` a helper leaves what is above their amount to the administrators.
 */
export const TICKS = {
  seenRole: tick,
  seenTrash: tick,
  seenDisabled: tick,
  seenExpired: tick,
  seenPlan: tick,
  seenDays: tick,
  seenPrice: tick,
  seenReward: tick,
  isEnabled: tick,
  isRestored: tick,
  isAsked: tick,
}
const ticks = z.object(TICKS)
export type Ticks = z.output<typeof ticks>
export const NO_TICKS: Ticks = ticks.parse({})

/** Returns the ticks of a form that is read field by field. */
export const readTicks = (isTicked: (name: string) => boolean): Ticks =>
  ticks.parse(Object.fromEntries(Object.keys(TICKS).map((name) => [name, isTicked(name)])))

/** Of a program, which cannot be asked first. Its answer says what surprises. */
export const ALL_SEEN: Ticks = {
  ...NO_TICKS,
  ...Object.fromEntries(Object.values(SEEN).map((name) => [name, true])),
}
