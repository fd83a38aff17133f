import { openRng } from '../support/engine/trials'
import type { Users } from './users'
import { NotKnown } from './simulator-control'
import { MACHINE_TROUBLES } from './machine-troubles'
import type { Options } from './options'
import type { Product } from './product'
import { KEY_TROUBLES } from './key-troubles'
import { AWAY_MS, PROVIDER_TROUBLES } from './provider-troubles'
import { sceneFor, type Trouble } from './troubles'

export const TROUBLES = [...MACHINE_TROUBLES, ...PROVIDER_TROUBLES, ...KEY_TROUBLES]

/** What was played and when, for the report and for checks that ignore outages. */
export type Played = { name: string; from: number; to: number | undefined; isOutage: boolean }

/**
 * The second series of troubles begins after this share of the time. Until then they come one at a
 * time.
 */
const ALONE_SHARE = 0.35
const QUIET_AT_FIRST_MS = 8_000
/**
 * With two providers it does not begin before one of them has been away alone, and the other has stood in.
 */
const STAND_IN_MS = QUIET_AT_FIRST_MS + AWAY_MS

export type Schedule = {
  played: readonly Played[]
  isOutage: () => boolean
  /** Resolves when the time is over and every trouble has been reverted. */
  done: Promise<void>
}

/** Returns the troubles that the command line names. Throws on unknown names. */
export function chosenTroubles({ troubles }: Options): readonly Trouble[] {
  if (troubles.length === 0) return TROUBLES
  const strange = troubles.filter(
    (name) => name !== 'none' && !TROUBLES.some((trouble) => trouble.name === name),
  )
  if (strange.length > 0)
    throw new Error(`no such trouble: ${strange.join(', ')}\nthere are: ${namesOf(TROUBLES)}`)
  return TROUBLES.filter(({ name }) => troubles.includes(name))
}

export const namesOf = (troubles: readonly Trouble[]): string =>
  troubles.map(({ name }) => name).join(', ')

type Input = {
  product: Product
  options: Options
  users: Users
  say: (line: string) => void
  /** Ends the run early when aborted. */
  giveUp: AbortSignal
}

/** Plays troubles for the length of the run: first one after the other, then two at a time. */
export function makeTrouble({ product, options, users, say, giveUp }: Input): Schedule {
  const ms = options.minutes * 60_000
  const endsAt = Date.now() + ms
  const ending = new AbortController()
  const { signal } = ending
  setTimeout(() => ending.abort(), ms).unref()
  giveUp.addEventListener('abort', () => ending.abort(), { once: true })
  const possible = chosenTroubles(options).filter(
    (trouble) => trouble.isPossible?.({ product, options }) ?? true,
  )
  const isPair = product.second !== undefined
  const aloneMs = Math.max(ms * ALONE_SHARE, isPair ? STAND_IN_MS : 0)
  const played: Played[] = []
  const inUse = new Set<string>()
  const unknown = new Set<string>()

  const play = async (trouble: Trouble, scene: ReturnType<typeof sceneFor>) => {
    const { name, uses, isOutage } = trouble
    const entry: Played = { name, from: Date.now(), to: undefined, isOutage }
    inUse.add(uses)
    played.push(entry)
    say(`+ ${name}`)
    try {
      await trouble.play(scene)
    } catch (error) {
      if (!(error instanceof NotKnown)) throw error
      unknown.add(name)
      say(`  ${name}: not played, ${error.message}`)
    } finally {
      entry.to = Date.now()
      inUse.delete(uses)
      say(`- ${name}, ${Math.round((entry.to - entry.from) / 1000)} s`)
    }
  }

  const line = async (salt: number, delayMs: number) => {
    const rng = openRng(salt, options.seed)
    const scene = sceneFor({ product, options, users, signal }, rng)
    let order: Trouble[] = []
    await scene.wait(delayMs)
    if (salt === 1)
      for (const first of possible.filter(({ isFirst }) => isFirst)) await play(first, scene)
    while (!signal.aborted && possible.length > 0) {
      if (order.length === 0) order = shuffled(possible, rng.below)
      const at = order.findIndex(({ name, uses }) => !inUse.has(uses) && !unknown.has(name))
      const [next] = at < 0 ? [] : order.splice(at, 1)
      if (next) await play(next, scene)
      else order = []
      await scene.wait(1_000 + rng.next() * Math.min(8_000, (endsAt - Date.now()) / 4))
    }
  }
  return {
    played,
    isOutage: () => played.some(({ isOutage, to }) => isOutage && to === undefined),
    done: Promise.all([line(1, QUIET_AT_FIRST_MS), line(2, aloneMs)]).then(() => undefined),
  }
}

function shuffled<T>(list: readonly T[], below: (n: number) => number): T[] {
  const rest = [...list]
  return list.flatMap(() => rest.splice(below(rest.length), 1))
}
