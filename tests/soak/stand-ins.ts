import { FIRST_PROVIDER } from '../../app/domain/route'
import { SECOND } from './product'
import type { Played } from './schedule'

// Two providers, of which each stands in for the other.

export const FIRST_AWAY = 'first-away'
export const SECOND_AWAY = 'second-away'

/** Returns the provider that was away for so long in a trouble that the other one stood in for it. */
export function awayIn({ name }: Pick<Played, 'name'>): string | null {
  if (name === FIRST_AWAY) return FIRST_PROVIDER
  return name === SECOND_AWAY ? SECOND : null
}
