import { figure, sizeOf } from '~/lib/figures'
import type { ChosenClip, FilmNews } from './types'

export const FILM_LIMITS = {
  fewestClips: 2,
  mostClips: 50,
  mostBytes: 500_000_000,
  /** Films that one user joins in an hour, for which a film is kept. */
  mostKept: 5,
  nameCharacters: 80,
} as const

/** Why a film failed whose clips one file cannot contain. */
export const DIFFERENT_SETTINGS =
  'These clips were made with different settings and cannot be joined without loss.'

export const isUnfinished = ({ state }: FilmNews): boolean =>
  state === 'waiting' || state === 'working'

type Facts = Pick<ChosenClip, 'aspectRatio' | 'bytes'>

/** Returns why clips cannot be joined, as far as that is known before they are read, or null. */
export function refusalOf(clips: readonly Facts[]): string | null {
  const { fewestClips, mostClips, mostBytes } = FILM_LIMITS
  if (clips.length < fewestClips)
    return 'A film needs at least two different clips. Tick them in My Videos and press “Join”.'
  if (clips.length > mostClips) return tooMany(clips.length)
  if (new Set(clips.map(({ aspectRatio }) => aspectRatio)).size > 1) {
    return 'Clips of 9:16 and of 16:9 cannot be joined. Choose clips of one aspect ratio.'
  }
  const bytes = clips.reduce((sum, clip) => sum + clip.bytes, 0)
  return bytes > mostBytes
    ? `A film can have at most ${sizeOf(mostBytes)}. These clips have ${sizeOf(bytes)}.`
    : null
}

/** Says that more clips were chosen than a film can have. */
export const tooMany = (count: number): string =>
  `A film has at most ${FILM_LIMITS.mostClips} clips. You chose ${figure(count)}.`

/** Formats a length in milliseconds as minutes and seconds: `1:04`. */
export function lengthText(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return `${figure(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, '0')}`
}

/** A step of one clip in the order: `up` or `down`, and its place from 1. */
export type Step = { way: 'up' | 'down'; place: number }

/**
 * Returns ids in the order of the places that were typed beside them, then with one of them moved by
 * a step. A typed place counts more than that of the clip that has it. A text that is no number
 * (null) changes nothing.
 */
export function inOrder(
  ids: readonly string[],
  places: readonly (number | null)[],
  step: Step | null,
): string[] {
  const sorted = ids
    .map((id, index) => {
      const place = places[index] ?? index + 1
      return { id, place, way: Math.sign(place - index - 1) }
    })
    .sort((one, other) => one.place - other.place || one.way - other.way)
    .map(({ id }) => id)
  const moved = step === null ? undefined : ids[step.place - 1]
  if (step === null || moved === undefined) return sorted
  const at = sorted.indexOf(moved)
  const to = step.way === 'up' ? at - 1 : at + 1
  const other = sorted[to]
  if (other === undefined) return sorted
  return sorted.map((id, index) => (index === at ? other : index === to ? moved : id))
}
