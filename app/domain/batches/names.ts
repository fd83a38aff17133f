import { timeOfDay } from '~/lib/time'
import type { BatchKind } from './types'

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
  name ?? `${NOUNS[kind]} of ${timeOfDay(createdAt, timeZone)}`
