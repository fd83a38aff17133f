import { setTimeout as sleep } from 'node:timers/promises'
import type { Rng } from '../support/engine/trials'
import type { Users } from './users'
import type { Options } from './options'
import type { Product } from './product'

/** What a trouble acts on. */
export type Scene = {
  product: Product
  options: Options
  admin: Users['admin']
  keys: Users['keys']
  rng: Rng
  /** Waits. Ends early when the run does. */
  wait: (ms: number) => Promise<void>
  /**
   * Returns a random span between two numbers of seconds, in milliseconds; near the lower one in
   * the short form.
   */
  span: (least: number, most: number) => number
}

export type Trouble = {
  name: string
  /** Troubles with the same value are never played at the same time. */
  uses: string
  /** Whether all work, or one kind of it, is blocked while it lasts. */
  isOutage: boolean
  /** Whether it is played before all others. */
  isFirst?: boolean
  isPossible?: (scene: Pick<Scene, 'product' | 'options'>) => boolean
  /** Begins, waits and ends. Reverts everything, even when the run ends early. */
  play: (scene: Scene) => Promise<void>
}

/** In the short form no trouble lasts longer, unless its own minimum is longer. */
const SHORT_MOST_S = 25

/** Returns the parts of a run that a trouble may use. */
export function sceneFor(
  {
    product,
    options,
    users,
    signal,
  }: {
    product: Product
    options: Options
    users: Users
    signal: AbortSignal
  },
  rng: Rng,
): Scene {
  return {
    product,
    options,
    rng,
    admin: users.admin,
    keys: users.keys,
    wait: (ms) => sleep(ms, undefined, { signal }).catch(() => undefined),
    span: (least, most) => {
      const top = options.isShort ? Math.max(least, Math.min(most, SHORT_MOST_S)) : most
      return 1000 * (least + rng.next() * (top - least))
    },
  }
}
