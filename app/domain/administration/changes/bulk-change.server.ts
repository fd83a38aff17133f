import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { figure } from '~/lib/figures'
import { newId } from '~/lib/ids'
import type { Tx } from '~/platform/db/port'
import type { ActivityAction, ActivityFacts } from '../../activity/types'
import { requireProof } from '../../accounts/proof.server'
import { getPlans } from '../../business/settings.server'
import { databaseNow } from '../../clock.server'
import type { AdminCtx, Settings } from '../../context'
import { today } from '../../days.server'
import { AppError } from '../../errors'
import { oncePerKey } from '../../idempotency.server'
import { isoText } from '../../iso-text.server'
import { logActivity } from '../../activity/write.server'
import type { PaidTerms } from '../../payments/schemas'
import { planNumbers } from '../../plans/numbers'
import type { Plans } from '../../plans/types'
import { admitWaiting } from '../../videos/line.server'
import { priceOfAll, sellsTime, soldDays, type OnPlan } from './bulk-price'
import type { BulkFacts, BulkLine } from './bulk-rules'
import type { BulkAction, BulkKind, BulkTarget, RenewFrom } from './bulk-schemas'
import { recordPaid } from './paid-change.server'
import { surprisesOfAll, type Surprise } from '../outcome'
import { enabled, maySurprise, salesOf, type SoldLine } from './bulk-sales.server'
import { foresee, requireSeen, UNTICKED, type Seller } from '../outcome.server'
import { FIELD_CHANGES, SOLD_JSON } from '../account-columns.server'
import { lockUsers, stopUsers } from '../users/stop-users.server'
import { usersWhere } from '../users/users-query.server'

const changeReceipt = z.object({ changeId: z.string(), count: z.number() })

export type BulkPreview = {
  count: number
  lines: BulkLine[]
  /** What the days cost altogether, in minor units of PKR. Null: no time is sold, or not every user has a plan. */
  price: number | null
  surprises: Surprise[]
}
/** `paid`: a payment of each user is recorded with it. Only for changes of the end. */
export type BulkOrder = { action: BulkAction; target: BulkTarget; paid?: PaidTerms | null }
/** `expected` is the number of users in the preview, `key` that of the form that applies it. */
type Approval = { expected: number; key: string | undefined; seller?: Seller }

const PREVIEW_LINES = 100

/**
 * Condition for the users of a change. Administrators and users in the trash are never changed in
 * bulk.
 */
function targetWhere({ scope, picked, filters }: BulkTarget, settings: Settings): Sql {
  const whom =
    scope === 'filter'
      ? sql`${usersWhere(filters, settings)} and users.id <> all(${[...picked]}::uuid[])`
      : sql`users.id = any(${[...picked]}::uuid[])`
  return sql`users.role <> 'admin' and users.deleted_at is null and ${whom}`
}

/** From what a new end counts. */
const STARTS = {
  later: sql`greatest(users.expiry_date, engine_now())`,
  end: sql`users.expiry_date`,
  today: sql`engine_now()`,
} as const satisfies Record<RenewFrom, Sql>

/** Returns the columns that an action changes, before and after, and which users it affects. */
function sidesOf(action: BulkAction, plans: Plans): { before: Sql; after: Sql; only: Sql } {
  const end = isoText(sql`users.expiry_date`)
  switch (action.kind) {
    case 'renew':
    case 'add-days': {
      const start = STARTS[action.kind === 'renew' ? action.from : 'later']
      const next = sql`${start} + make_interval(days => ${soldDays(action)})`
      return {
        before: sql`json_build_object('expiryDate', ${end})`,
        after: sql`json_build_object('expiryDate', ${isoText(next)})`,
        only: sql`users.expiry_date is not null`,
      }
    }
    case 'change-plan': {
      const after = { plan: action.plan, ...planNumbers(plans[action.plan]) }
      return {
        before: sql`json_build_object(${SOLD_JSON})`,
        after: sql`${JSON.stringify(after)}::json`,
        only: sql`true`,
      }
    }
    case 'gift-quota':
      return {
        before: sql`json_build_object('gifted', coalesce(today.gifted, 0))`,
        after: sql`json_build_object('gifted', coalesce(today.gifted, 0) + ${action.units}::int)`,
        only: sql`true`,
      }
    case 'disable':
      return {
        before: sql`json_build_object('isActive', users.is_active)`,
        after: sql`json_build_object('isActive', false)`,
        only: sql`users.is_active`,
      }
  }
}

type Order = BulkOrder & { plans: Plans }

function linesOf({ settings }: AdminCtx, { action, target, plans }: Order): Sql {
  const { before, after, only } = sidesOf(action, plans)
  return sql`
    select users.id, users.username, users.plan, users.role, users.is_active as "isActive",
      ${isoText(sql`users.expiry_date`)} as "expiryDate", ${before} as before, ${after} as after from users
    left join quota_days as today on today.user_id = users.id
      and today.day = ${today(settings.timeZone)}
    where ${only} and ${targetWhere(target, settings)} order by users.username`
}

/**
 * Previews a change: the number of users, the first of them with old and new values, and what the time
 * costs. Read-only.
 */
export async function previewBulkChange(ctx: AdminCtx, order: BulkOrder): Promise<BulkPreview> {
  const plans = await getPlans(ctx.db)
  const all = linesOf(ctx, { ...order, plans })
  const { onPlans, ...preview } = await ctx.db.one<
    Omit<BulkPreview, 'price' | 'surprises'> & { onPlans: OnPlan[] }
  >(sql`
    with lines as (${all})
    select (select count(*)::int from lines) as count,
      coalesce((select json_agg(line) from (select * from lines limit ${PREVIEW_LINES}) as line), '[]') as lines,
      coalesce((select json_agg(json_build_object('plan', plan, 'count', n))
        from (select plan, count(*) as n from lines group by plan) as sold), '[]') as "onPlans"`)
  const few = await ctx.db.rows<SoldLine>(
    sql`select * from (${all}) as line where ${maySurprise(order.action)}`,
  )
  const outcomes = await foresee(ctx, ctx.db, salesOf({ ...order, enables: false }, few))
  return {
    ...preview,
    price: sellsTime(order.action.kind) ? priceOfAll(plans, onPlans, order.action) : null,
    surprises: surprisesOfAll(outcomes, preview.count),
  }
}

/**
 * Applies a change, once per key, and returns its id, with which it can be undone. With the tick it
 * enables the disabled accounts among those it sells time to. Throws CONFLICT if the number of users is
 * not the expected one, or something surprises that is not ticked (`requireSeen`), BAD_INPUT if there
 * are none, PASSWORD_NEEDED.
 */
export async function applyBulkChange(
  ctx: AdminCtx,
  order: BulkOrder,
  { expected, key, seller = UNTICKED }: Approval,
): Promise<z.output<typeof changeReceipt>> {
  requireProof(ctx, 'today')
  const { ticks } = seller
  const once = { key, request: ['bulk-change', order, ticks], result: changeReceipt }
  return oncePerKey(ctx, once, async (tx) => {
    await lockUsers(tx, lockable(ctx, order.target))
    const plans = await getPlans(tx)
    const found = await tx.rows<SoldLine>(linesOf(ctx, { ...order, plans }))
    const enables = ticks.isEnabled && sellsTime(order.action.kind)
    const lines = enables ? found.map(enabled) : found
    if (lines.length === 0) throw new AppError('BAD_INPUT', 'This would not change any user')
    if (lines.length !== expected) {
      const message = `The change now affects ${figure(lines.length)} users, not ${figure(expected)}. Review it again.`
      throw new AppError('CONFLICT', message)
    }
    const sales = salesOf({ ...order, enables }, found)
    const outcomes = await requireSeen(ctx, tx, { sales, seller })
    const changeId = await storeChange(ctx, tx, { kind: order.action.kind, lines })
    await writeFacts(ctx, tx, lines)
    if (order.action.kind === 'disable') {
      await stopUsers(
        tx,
        lines.map(({ id }) => id),
      )
    }
    await note(ctx, tx, { action: ACTIONS[order.action.kind], lines })
    if (order.paid) {
      const users = lines.map(({ id, username, plan, before, after }) => ({
        id,
        username,
        days: soldDays(order.action),
        before: { plan, expiryDate: before.expiryDate ?? null },
        after: { plan, expiryDate: after.expiryDate ?? null },
      }))
      await recordPaid(ctx, tx, { changeId, paid: order.paid, users, outcomes })
    }
    return { changeId, count: lines.length }
  })
}

/** Selects the users of a change by id, so that the lock does not include the joined tables. */
const lockable = ({ settings }: AdminCtx, target: BulkTarget): Sql => sql`id in (
  select users.id from users left join quota_days as today on today.user_id = users.id
    and today.day = ${today(settings.timeZone)}
  where ${targetWhere(target, settings)})`

const ACTIONS = {
  renew: 'user.renew',
  'add-days': 'user.add-days',
  'change-plan': 'user.change-plan',
  'gift-quota': 'user.gift-quota',
  disable: 'user.disable',
} as const satisfies Record<BulkAction['kind'], ActivityAction>

type Kept = {
  kind: BulkKind
  lines: readonly Pick<BulkLine, 'id' | 'before' | 'after'>[]
}

/** Stores a change with which it can be undone, and returns its id. */
export async function storeChange(ctx: AdminCtx, tx: Tx, { kind, lines }: Kept): Promise<string> {
  const id = newId()
  const data = {
    id,
    kind,
    actorId: ctx.actor.id,
    actorName: ctx.actor.username,
    count: lines.length,
    createdAt: await databaseNow(tx),
  }
  await tx.prisma(({ bulkChange }) => bulkChange.create({ data }))
  await tx.run(sql`
    insert into bulk_change_users (change_id, user_id, before, after)
    select ${id}, id, before, after
    from json_to_recordset(${JSON.stringify(lines)}::json) as line(id uuid, before jsonb, after jsonb)`)
  return id
}

type ImportLine = { changeId: string; line: Omit<BulkLine, 'username'> }

/** Adds one user to the change that an import is. The first one creates the change. */
export async function keepImportLine(
  ctx: AdminCtx,
  tx: Tx,
  { changeId: id, line }: ImportLine,
): Promise<void> {
  const { id: actorId, username: actorName } = ctx.actor
  const createdAt = await databaseNow(tx)
  await tx.prisma(({ bulkChange }) =>
    bulkChange.upsert({
      where: { id },
      create: { id, kind: 'import', actorId, actorName, count: 1, createdAt },
      update: { count: { increment: 1 } },
      select: { id: true },
    }),
  )
  const { id: userId, before, after } = line
  const data = { changeId: id, userId, before: { ...before }, after: { ...after } }
  await tx.prisma(({ bulkChangeUser }) => bulkChangeUser.create({ data, select: { userId: true } }))
}

type Side = { id: string; after: BulkFacts }

/**
 * Writes the columns named in `after`. The used part of a gift cannot be revoked. A higher speed
 * limit lets waiting videos start.
 */
export async function writeFacts(ctx: AdminCtx, tx: Tx, lines: readonly Side[]): Promise<void> {
  const given = sql`
    from json_to_recordset(${JSON.stringify(lines)}::json) as line(id uuid, after jsonb)`
  await tx.run(sql`
    update users set
      expiry_date = case when after ? 'expiryDate' then (after->>'expiryDate')::timestamptz else expiry_date end,
      ${FIELD_CHANGES}
    ${given} where users.id = line.id`)
  await tx.run(sql`
    insert into quota_days as q (user_id, day, gifted)
    select id, ${today(ctx.settings.timeZone)}, (after->>'gifted')::int
    ${given} where after ? 'gifted'
    on conflict (user_id, day) do update
      set gifted = greatest(excluded.gifted, q.reserved + q.charged - q.granted_limit)`)
  const waiting = await tx.rows<{ id: string }>(sql`
    select distinct user_id as id from line_entries
    where state = 'gated' and user_id = any(${lines.map(({ id }) => id)}::uuid[]) order by id`)
  for (const { id } of waiting) await admitWaiting(tx, ctx.queue, id)
}

type Noted = { action: ActivityAction; lines: readonly BulkLine[] }

export async function note(ctx: AdminCtx, tx: Tx, { action, lines }: Noted): Promise<void> {
  const entries = lines.map(({ id, username, before, after }) => ({
    action,
    subject: { kind: 'user', id, name: username } as const,
    before: toFacts(before),
    after: toFacts(after),
  }))
  await logActivity(tx, ctx, entries)
}

/** What comes with a plan is said by the plan. */
const toFacts = ({ route: _route, clipUnits: _units, ...facts }: BulkFacts): ActivityFacts => facts
