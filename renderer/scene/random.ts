/** A seeded stream of numbers in [0, 1). */
export type Random = () => number

/** Mulberry32: small, fast and the same on every machine, which `Math.random` is not. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Returns the 32-bit FNV-1a hash of the UTF-16 units of `text`. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}

/** Returns a number in [low, high). */
export function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random()
}

/** Returns an integer in [low, high], including both. */
export function wholeBetween(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1))
}

/** Returns one entry of a list. */
export function pick<T>(random: Random, list: readonly [T, ...T[]]): T {
  return list[Math.floor(random() * list.length)] ?? list[0]
}

/** Returns smooth noise in [-1, 1] over a line; `grain` is the distance between independent values. */
export function smoothNoise(seed: number, grain: number): (position: number) => number {
  const valueAt = (cell: number): number => randomFrom(seed + Math.imul(cell, 0x9e3779b1))() * 2 - 1
  return (position) => {
    const cell = Math.floor(position / grain)
    const part = position / grain - cell
    const eased = part * part * (3 - 2 * part)
    return valueAt(cell) * (1 - eased) + valueAt(cell + 1) * eased
  }
}

/** Returns three octaves of `smoothNoise`: rolling shapes with some detail, in about [-1, 1]. */
export function terrainNoise(seed: number, grain: number): (position: number) => number {
  const broad = smoothNoise(seed, grain)
  const middle = smoothNoise(seed + 101, grain / 2.7)
  const fine = smoothNoise(seed + 211, grain / 7.3)
  return (position) => 0.62 * broad(position) + 0.27 * middle(position) + 0.11 * fine(position)
}
