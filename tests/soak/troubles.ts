import { setTimeout as sleep } from 'node:timers/promises'
import type { Rng } from '../support/engine/trials'
import type { Crowd } from './crowd'
import type { Options } from './options'
import type { Product } from './product'

/** What a trouble acts on. */
export type Scene = {
  product: Product
  options: Options
  admin: Crowd['admin']
  rng: Rng
  /** Waits; ends early when the run does. */
  wait: (ms: number) => Promise<void>
  /** A span of seconds out of a range, in milliseconds; the short form stays near its lower end. */
  span: (least: number, most: number) => number
}

export type Trouble = {
  name: string
  /** Two that use the same are never played at once. */
  uses: string
  /** Nothing, or one kind of work, cannot go on while it lasts. */
  isOutage: boolean
  isPossible?: (scene: Pick<Scene, 'product'>) => boolean
  /** Begins, waits and ends; leaves everything as it was, also when the run ends early. */
  play: (scene: Scene) => Promise<void>
}

/** No trouble of the short form lasts longer, unless what it is about takes longer. */
const SHORT_MOST_S = 25

/** What a trouble may use of a run. */
export function sceneFor(
  {
    product,
    options,
    crowd,
    signal,
  }: {
    product: Product
    options: Options
    crowd: Crowd
    signal: AbortSignal
  },
  rng: Rng,
): Scene {
  return {
    ...{ product, options, rng, admin: crowd.admin },
    wait: (ms) => sleep(ms, undefined, { signal }).catch(() => undefined),
    span: (least, most) => {
      const top = options.isShort ? Math.max(least, Math.min(most, SHORT_MOST_S)) : most
      return 1000 * (least + rng.next() * (top - least))
    },
  }
}
