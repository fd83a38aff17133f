import sql from 'sql-template-tag'
import type { AdminCtx } from '../../context'
import { isoText } from '../../iso-text.server'
import { listReminded } from '../../notifications/reminders.server'
import type { Reminded } from '../../notifications/types'
import { lastPaymentsOf } from '../../payments/book.server'
import type { LastPayment } from '../../payments/types'
import { RENEW_DAYS } from '../changes/bulk-rules'
import { contactOf, type StoredContact } from './customer-card.server'
import type { DeskQuery } from '../users/list-schemas'
import type { Contact, ListedUser, UserPage } from '../types'
import { listUsers } from '../users/users-query.server'

/** The ends that a renewal would give. Null for an account without an end. */
export type NextEnds = { fromEnd: string; fromToday: string } | null

/** A customer on the renewal desk. */
export type DeskRow = ListedUser & {
  lastOrderAt: string | null
  lastPayment: LastPayment | null
  contact: Contact | null
  /** The reminders of the end of the plan, or of today's videos, that the customer was sent, the last first. */
  reminded: Reminded[]
  nextEnds: NextEnds
}

type Row = StoredContact & {
  id: string
  lastOrderAt: string | null
  fromEnd: string | null
  fromToday: string
}

/** Returns one page of a list of the renewal desk. */
export async function listDesk(
  ctx: AdminCtx,
  query: DeskQuery,
): Promise<Omit<UserPage, 'users'> & { users: DeskRow[] }> {
  const page = await listUsers(ctx, query)
  return { ...page, users: await withDeskFacts(ctx, page.users) }
}

/** Adds to accounts what the desk shows of them, in three statements. */
async function withDeskFacts(ctx: AdminCtx, users: readonly ListedUser[]): Promise<DeskRow[]> {
  const ids = users.map(({ id }) => id)
  const [rows, payments, sent] = await Promise.all([
    ctx.db.rows<Row>(sql`
      select users.id, ${isoText(sql`contacted_at`)} as at, contacted_for as occasion,
        (select ${isoText(sql`created_at`)} from videos
          where user_id = users.id and deleted_at is null
          order by created_at desc, videos.id desc limit 1) as "lastOrderAt",
        ${isoText(sql`expiry_date + make_interval(days => ${RENEW_DAYS})`)} as "fromEnd",
        ${isoText(sql`engine_now() + make_interval(days => ${RENEW_DAYS})`)} as "fromToday"
      from users left join customer_cards on user_id = users.id
      where users.id = any(${ids}::uuid[])`),
    lastPaymentsOf(ctx.db, ids),
    listReminded(ctx, ids),
  ])
  const factsOf = new Map(rows.map((row) => [row.id, row]))
  return users.map((user) => {
    const row = factsOf.get(user.id)
    return {
      ...user,
      lastOrderAt: row?.lastOrderAt ?? null,
      lastPayment: payments.get(user.id) ?? null,
      contact: row ? contactOf(row) : null,
      reminded: sent.filter(({ userId }) => userId === user.id),
      nextEnds: row?.fromEnd ? { fromEnd: row.fromEnd, fromToday: row.fromToday } : null,
    }
  })
}

/** Returns what the desk shows of one account. */
export async function deskRowOf(ctx: AdminCtx, user: ListedUser): Promise<DeskRow> {
  const [row] = await withDeskFacts(ctx, [user])
  const none = { lastOrderAt: null, lastPayment: null, contact: null, reminded: [], nextEnds: null }
  return row ?? { ...user, ...none }
}
