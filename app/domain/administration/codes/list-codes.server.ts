import sql, { empty, type Sql } from 'sql-template-tag'
import { isId } from '~/lib/ids'
import { requireProofOf } from '../../accounts/proof.server'
import { logActivity } from '../../activity/write.server'
import type { HelperCtx } from '../../context'
import { AppError } from '../../errors'
import { isoText } from '../../iso-text.server'
import type { Money } from '../../payments/types'
import type { PlanName } from '../../plans/types'
import { actFor } from '../helpers/act-for.server'
import type { ChosenCodes, CodesQuery, CodeState } from './code-schemas'

const PAGE = 50

/** A prepaid code as sellers see it: its text is nowhere. Times are ISO 8601 in UTC. */
export type CodeView = Money & {
  id: string
  lotId: string
  number: number
  plan: PlanName
  days: number
  soldTo: string | null
  note: string | null
  endsAt: string
  madeAt: string
  madeBy: string
  /** When it was used or blocked. */
  changedAt: string | null
  /** Who used it, and the change that it gave them. */
  usedBy: string | null
  changeId: string | null
}

/** The codes of each state, those after one of them, and their order: each by an index. */
const STATES = {
  open: {
    where: sql`state = 'open' and ends_at > engine_now()`,
    after: sql`(ends_at, id) > (last.ends_at, last.id)`,
    order: sql`ends_at, id`,
  },
  ended: {
    where: sql`state = 'open' and ends_at <= engine_now()`,
    after: sql`(ends_at, id) < (last.ends_at, last.id)`,
    order: sql`ends_at desc, id desc`,
  },
  used: {
    where: sql`state = 'used'`,
    after: sql`(changed_at, id) < (last.changed_at, last.id)`,
    order: sql`changed_at desc, id desc`,
  },
  blocked: {
    where: sql`state = 'blocked'`,
    after: sql`(changed_at, id) < (last.changed_at, last.id)`,
    order: sql`changed_at desc, id desc`,
  },
} as const satisfies Record<CodeState, Record<'where' | 'after' | 'order', Sql>>

/** A helper sees, and blocks, what they made themselves. */
const ownOnly = ({ actor }: HelperCtx): Sql =>
  actor.role === 'admin' ? empty : sql`and made_by_id = ${actor.id}`

export type CodePage = { codes: CodeView[]; next: string | null }

/**
 * Lists one page of the codes of a state: open ones by their end, the others with the latest first.
 * `next` is the cursor for the following page.
 */
export async function listCodes(
  ctx: HelperCtx,
  { state, lot, after }: CodesQuery,
): Promise<CodePage> {
  actFor(ctx, 'codes')
  const { where, order, after: isAfter } = STATES[state]
  const rows = await ctx.db.rows<CodeView>(sql`
    select codes.id, lot_id as "lotId", number, plan, days, amount, currency, sold_to as "soldTo", note,
      ${isoText(sql`ends_at`)} as "endsAt", ${isoText(sql`made_at`)} as "madeAt", made_by as "madeBy",
      ${isoText(sql`changed_at`)} as "changedAt", change_id as "changeId",
      (select username from payments where payments.change_id = codes.change_id) as "usedBy"
    from (select * from prepaid_codes
      where ${where} ${ownOnly(ctx)} ${lot === undefined ? empty : sql`and lot_id = ${lot}`}
        ${after === undefined ? empty : sql`and (select ${isAfter} from prepaid_codes as last where last.id = ${after})`}
      order by ${order} limit ${PAGE + 1}) as codes
    order by ${order}`)
  const codes = rows.slice(0, PAGE)
  return { codes, next: rows.length > PAGE ? (codes.at(-1)?.id ?? null) : null }
}

/**
 * Blocks an unused code, or all unused ones that were made together: they are no income any more, and
 * can be opened again. Returns how many. Throws CONFLICT if none is left, and PASSWORD_NEEDED.
 */
export const blockCodes = (ctx: HelperCtx, chosen: ChosenCodes): Promise<number> =>
  changeCodes(ctx, chosen, {
    action: 'codes.block',
    change: sql`state = 'blocked', changed_at = engine_now()`,
    from: 'open',
  })

/** Opens blocked codes again. Throws CONFLICT if there is none, FORBIDDEN for helpers, PASSWORD_NEEDED. */
export async function openCodes(ctx: HelperCtx, chosen: ChosenCodes): Promise<number> {
  if (ctx.actor.role !== 'admin')
    throw new AppError('FORBIDDEN', 'Only an administrator opens a blocked code again')
  return changeCodes(ctx, chosen, {
    action: 'codes.open',
    change: sql`state = 'open', changed_at = null`,
    from: 'blocked',
  })
}

type Change = { action: 'codes.block' | 'codes.open'; change: Sql; from: 'open' | 'blocked' }

async function changeCodes(
  ctx: HelperCtx,
  { id, lot }: ChosenCodes,
  { action, change, from }: Change,
): Promise<number> {
  const admin = actFor(ctx, 'codes')
  requireProofOf(admin, action)
  const [one, all] = [id, lot].map((text) => (text !== undefined && isId(text) ? text : null))
  return ctx.db.transaction(async (tx) => {
    const changed = await tx.rows<{ number: number; plan: string; soldTo: string | null }>(sql`
      update prepaid_codes set ${change}
      where (id = ${one}::uuid or lot_id = ${all}::uuid) and state = ${from} ${ownOnly(ctx)}
      returning number, plan, sold_to as "soldTo"`)
    const [first] = changed
    if (!first)
      throw new AppError('CONFLICT', `No code is ${from} any more. Look at the list again.`)
    const { plan, soldTo } = first
    const number = changed.length === 1 ? first.number : null
    await logActivity(tx, admin, { action, count: changed.length, after: { plan, soldTo, number } })
    return changed.length
  })
}
