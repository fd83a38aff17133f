import sql from 'sql-template-tag'
import { seconds } from '~/lib/time'
import type { Tx } from '~/platform/db/port'
import type { Deps } from '../../context'

/** Our own storage among the closed ways; no provider's account is named like it. */
export const STORAGE = 'our storage'
/** How long a lack of room closes the line; whoever meets it again moves that on. */
const CLOSED_FOR_MS = seconds(15)
/** Moving it on by less is not worth another look at the line. */
const WORTH_MOVING_MS = seconds(3)

const DISK_FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** Whether a write failed for want of space. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && DISK_FULL.has(String(error.code))

/**
 * Whether a clip may be written without touching the reserve (reliability rule R13). A storage that
 * cannot tell has room.
 */
export async function hasRoom({
  storage,
  settings: { reserveBytes },
}: Pick<Deps, 'storage' | 'settings'>): Promise<boolean> {
  if (reserveBytes === 0) return true
  const free = await storage.freeBytes()
  return free === null || free >= reserveBytes
}

/** Keeps the line from sending for a while, and sees to it that it is looked at again. */
export async function closeForSpace(
  { queue, log }: Pick<Deps, 'queue' | 'log'>,
  tx: Tx,
): Promise<void> {
  const closed = await tx.row<{ strikes: number }>(sql`
    insert into provider_gates as gate (scope, reason, closed_until, probe_ms, opened_at)
    values (${STORAGE}, 'space', engine_now() + ${CLOSED_FOR_MS}::float * interval '1 millisecond',
      ${CLOSED_FOR_MS}, engine_now())
    on conflict (scope) do update set closed_until = excluded.closed_until, strikes = gate.strikes + 1
    where gate.closed_until
      < excluded.closed_until - ${WORTH_MOVING_MS}::float * interval '1 millisecond'
    returning strikes`)
  if (!closed) return
  if (closed.strikes <= 1) log.error('no room is left for clips: nothing new is sent off')
  const delayMs = CLOSED_FOR_MS + 50
  await queue.add(tx, [{ name: 'videos.dispatch', payload: {}, delayMs }])
}

/** There is room again, and nothing has met a full disk since. */
export async function openStorage({ log }: Pick<Deps, 'log'>, tx: Tx): Promise<void> {
  await tx.run(sql`delete from provider_gates where scope = ${STORAGE}`)
  log.info('there is room for clips again')
}
