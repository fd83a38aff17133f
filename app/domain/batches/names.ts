import { timeOfDay } from '~/lib/time'
import type { BatchKind, BatchView } from './types'

/** Limit of a batch's name, in characters. */
export const BATCH_NAME_CHARACTERS = 60

const NOUNS = {
  bulk: 'Batch',
  retry: 'Retries',
  regeneration: 'Regeneration',
} as const satisfies Record<BatchKind, string>

type Named = { name: string | null; kind: BatchKind; createdAt: string }

/** Returns the name of a batch: the one that its user gave it, or one from its time, `Batch of 10:27`. */
export const batchName = ({ name, kind, createdAt }: Named, timeZone: string): string =>
  name ?? ofTime(NOUNS[kind], createdAt, timeZone)

const ofTime = (noun: string, createdAt: string, timeZone: string): string =>
  `${noun} of ${timeOfDay(createdAt, timeZone)}`

type Zones = { from: string; to: string }

/**
 * Returns the name of a batch for a reader in another time zone than that of its name: one from its time
 * tells the reader's, and one that its user gave it stays.
 */
export function nameIn(
  { name, createdAt }: Pick<BatchView, 'name' | 'createdAt'>,
  zones: Zones,
): string {
  const { from, to } = zones
  const noun = Object.values(NOUNS).find((noun) => name === ofTime(noun, createdAt, from))
  return noun === undefined ? name : ofTime(noun, createdAt, to)
}
