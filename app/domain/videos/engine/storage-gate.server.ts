import sql from 'sql-template-tag'
import { codeOf } from '~/lib/error-facts'
import { seconds } from '~/lib/time'
import type { Tx } from '~/platform/db/port'
import { StorageUnavailable } from '~/platform/storage/port'
import type { Deps } from '../../context'
import { DISPATCH_NOW, dispatchAfter } from '../line.server'
import type { StorageTrouble } from '../types'

/** The gate of our own storage. No provider account has this name. */
export const STORAGE = 'our storage'

/**
 * First and longest pause before a waiting clip is tried again. Each failure doubles the pause. The
 * gate stays closed for `slack` longer, so that the next try can open it or extend it in time.
 */
const PAUSES = {
  space: { first: seconds(15), most: seconds(15), slack: seconds(5) },
  // A storage that hangs fails only after about twenty seconds.
  storage: { first: seconds(5), most: seconds(60), slack: seconds(40) },
} as const satisfies Record<StorageTrouble, { first: number; most: number; slack: number }>

const LOG_MESSAGES = {
  space: 'no space is left for clips: nothing new is ordered',
  storage: 'the storage is unavailable: clips wait and nothing new is ordered',
} as const satisfies Record<StorageTrouble, string>

const DISK_FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** Returns whether a write failed because the disk is full. */
const isDiskFull = (error: unknown): boolean => DISK_FULL.has(codeOf(error))

/** Returns the storage problem that an error indicates, or undefined if it indicates none. */
export function storageTrouble(error: unknown): StorageTrouble | undefined {
  if (error instanceof StorageUnavailable) return 'storage'
  return isDiskFull(error) ? 'space' : undefined
}

/**
 * Returns why a clip cannot be stored now, as far as can be determined without storing one, or
 * undefined. A storage that cannot report its free space is assumed to have room. On a disk, the
 * reserve must stay free (reliability rule R13).
 */
export async function findStorageTrouble({
  storage,
  settings: { reserveBytes },
  log,
}: Pick<Deps, 'storage' | 'settings' | 'log'>): Promise<StorageTrouble | undefined> {
  try {
    const free = await storage.freeBytes()
    return free === null || free >= reserveBytes ? undefined : 'space'
  } catch (error) {
    log.warn({ err: error }, 'could not read the free space of the storage')
    return 'storage'
  }
}

/**
 * Closes the gate of the storage for a while and schedules a dispatch for its end. Returns the
 * pause before a waiting clip is tried again, in milliseconds. Concurrent failures count as one
 * strike.
 */
export async function closeForStorage(
  { queue, log }: Pick<Deps, 'queue' | 'log'>,
  tx: Tx,
  reason: StorageTrouble,
): Promise<number> {
  const { first, most, slack } = PAUSES[reason]
  const closed = await tx.row<{ strikes: number; pauseMs: number }>(sql`
    insert into provider_gates as gate (scope, reason, closed_until, probe_ms, closed_at)
    values (${STORAGE}, ${reason}, engine_now() + ${first + slack}::int * interval '1 millisecond', ${first},
      engine_now())
    on conflict (scope) do update set reason = ${reason},
      strikes = case when gate.reason = ${reason} then gate.strikes + 1 else 1 end,
      probe_ms = case when gate.reason = ${reason} then least(${most}, gate.probe_ms * 2) else ${first} end,
      closed_until = engine_now() + interval '1 millisecond' * (${slack}::int
        + case when gate.reason = ${reason} then least(${most}, gate.probe_ms * 2) else ${first} end)
    where gate.reason <> ${reason}
      or gate.closed_until <= engine_now() + ${slack}::int * interval '1 millisecond'
    returning strikes, probe_ms as "pauseMs"`)
  if (!closed) return pauseOf(tx, first)
  if (closed.strikes === 1) log.error(LOG_MESSAGES[reason])
  await queue.add(tx, [dispatchAfter(closed.pauseMs + slack)])
  return closed.pauseMs
}

/** Returns the pause that another transaction has just set, or `otherwise`. */
async function pauseOf(tx: Tx, otherwise: number): Promise<number> {
  const gate = await tx.row<{ pauseMs: number }>(sql`
    select probe_ms as "pauseMs" from provider_gates where scope = ${STORAGE}`)
  return gate?.pauseMs ?? otherwise
}

/**
 * Opens the gate of the storage and schedules a dispatch. Called when a clip was stored or there is
 * room again.
 */
export async function openStorage(
  { queue, log }: Pick<Deps, 'queue' | 'log'>,
  tx: Tx,
): Promise<void> {
  if ((await tx.run(sql`delete from provider_gates where scope = ${STORAGE}`)) === 0) return
  log.info('clips can be stored again')
  await queue.add(tx, [DISPATCH_NOW])
}
