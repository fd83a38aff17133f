import sql from 'sql-template-tag'
import type { Executor, Tx } from '~/platform/db/port'
import { shortDay } from '~/lib/time'
import { AppError } from '../errors'
import { isoText } from '../iso-text.server'
import type { PaymentState } from './types'

/** What identifies a payment: the key of its reference, and the hash of its screenshot. */
type Marks = { key: string | null; screenshot: string | null; id: string | null }

/** An earlier payment with the same reference or screenshot. */
export type Repeat = { id: string; username: string; receivedAt: string; state: PaymentState }

const REPEATS_SHOWN = 5

/** Returns the newest other payments with these marks that were not rejected. */
export const findRepeats = (db: Executor, { key, screenshot, id }: Marks): Promise<Repeat[]> =>
  db.rows<Repeat>(sql`
    select id, username, ${isoText(sql`received_at`)} as "receivedAt", state from payments
    where (reference_key = ${key} or picture_hash = ${screenshot}) and state <> 'rejected'
      and id is distinct from ${id}::uuid
    order by received_at desc, id desc limit ${REPEATS_SHOWN}`)

/**
 * Returns whether another payment has one of these marks. Throws CONFLICT if so and nobody has seen it.
 * The marks are locked until the transaction ends, so that of two payments with the same reference the
 * second one finds the first.
 */
export async function refuseRepeat(
  tx: Tx,
  { isRepeatSeen, timeZone, ...marks }: Marks & { isRepeatSeen: boolean; timeZone: string },
): Promise<boolean> {
  const names = [marks.key, marks.screenshot].filter((mark) => mark !== null)
  await tx.run(sql`
    select pg_advisory_xact_lock(hashtextextended(mark, 0))
    from (select mark from unnest(${names.map((name) => `payment ${name}`)}::text[]) as mark order by mark) as m`)
  const [first] = await findRepeats(tx, marks)
  if (!first) return false
  if (isRepeatSeen) return true
  const problem = `Already used by ${first.username} on ${shortDay(first.receivedAt, timeZone)}`
  throw new AppError('CONFLICT', `${problem}. Tick “Record it all the same” if that is right.`, {
    fields: { paidReference: [problem] },
  })
}
