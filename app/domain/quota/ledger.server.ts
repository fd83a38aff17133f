import sql from 'sql-template-tag'
import type { UserCtx } from '../context'
import { today } from '../days.server'
import { isoText } from '../iso-text.server'
import type { ChargeReason, ChargeState } from './types'

/** Lines per page of the ledger. */
export const LEDGER_PAGE = 50

/** The quota units of a generation, with its video and their state. */
export type LedgerLine = {
  videoId: string
  label: string
  reason: ChargeReason
  state: ChargeState
  units: number
  createdAt: string
  settledAt: string | null
  /** False if an administrator has reset the counter since, so that the line no longer counts. */
  counts: boolean
}

/** An administrator's reset of a day's counter. */
export type LedgerReset = { actorName: string; units: number; createdAt: string }

export type LedgerDay = {
  /** YYYY-MM-DD, in the platform's time zone. */
  day: string
  today: string
  reserved: number
  charged: number
  returned: number
  lines: LedgerLine[]
  lineCount: number
  resets: LedgerReset[]
}

type Request = { day: string | null; page: number }

/**
 * Reads one day of the actor's quota ledger, newest line first. Defaults to today, also for a date
 * in the future.
 */
export async function readLedger(ctx: UserCtx, request: Request): Promise<LedgerDay> {
  const { id: userId } = ctx.actor
  const currentDay = today(ctx.settings.timeZone)
  const day = sql`least(${request.day}::date, ${currentDay})`
  const of = sql`where charge.user_id = ${userId} and charge.day = ${day}`
  const [sums, lines, resets] = await Promise.all([
    ctx.db.one<Omit<LedgerDay, 'lines' | 'resets'>>(sql`
      select shown.day::text as day, ${currentDay}::text as today,
        coalesce(reserved, 0) as reserved, coalesce(charged, 0) as charged,
        coalesce(returned, 0) as returned,
        (select count(*) from quota_charges as charge ${of})::int as "lineCount"
      from (select ${day} as day) as shown
      left join quota_days on user_id = ${userId} and quota_days.day = shown.day`),
    ctx.db.rows<LedgerLine>(sql`
      select video_id as "videoId", label, reason, state, units, ${isoText(sql`created_at`)} as "createdAt",
        ${isoText(sql`settled_at`)} as "settledAt",
        charge.epoch = coalesce((select epoch from quota_days
          where user_id = ${userId} and day = ${day}), charge.epoch) as counts
      from quota_charges as charge ${of}
      order by charge.created_at desc, charge.video_id desc
      limit ${LEDGER_PAGE} offset ${(request.page - 1) * LEDGER_PAGE}`),
    ctx.db.rows<LedgerReset>(sql`
      select actor_name as "actorName", units, ${isoText(sql`created_at`)} as "createdAt"
      from quota_adjustments
      where user_id = ${userId} and day = ${day} order by created_at desc`),
  ])
  return { ...sums, lines, resets }
}
