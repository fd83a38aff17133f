import sql, { empty, type Sql } from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { Executor } from '~/platform/db/port'
import { getPlans } from '../../business/settings.server'
import { isoText } from '../../iso-text.server'
import type { Plans } from '../../plans/types'
import { toAct, type ActKind, type SoldAct, type StoredAct } from './sold-acts'

/** For so many days an act without a payment is listed. */
const LISTED_DAYS = 56
const MOST_LISTED = 100

/**
 * The acts in force that gave customers a plan or time, with their payments. An account that an import
 * or an edit changes gets something if its plan is better afterwards, or its end later. `raised` compares
 * plans by what they cost now.
 */
function actsSql(plans: Plans): Sql {
  const prices = JSON.stringify(
    Object.fromEntries(Object.entries(plans).map(([name, { rupees }]) => [name, rupees])),
  )
  return sql`
    select line.change_id as "changeId", line.user_id as "userId", created_at as made_at,
      actor_id, actor_name as by, bulk_changes.kind in ('renew') as "isRenewal", line.before, line.after,
      case when bulk_changes.kind = 'create' then 'created' when bulk_changes.kind = 'import' then 'imported'
        when bulk_changes.kind = 'change-plan' or raised then 'upgraded' else 'renewed' end as kind,
      payments.amount, payments.currency, payments.price as "paidPrice", payments.state
    from bulk_change_users as line join bulk_changes on bulk_changes.id = line.change_id
    cross join lateral (select
      line.after ? 'plan' and (${prices}::jsonb->>(line.after->>'plan'))::int
        > coalesce((${prices}::jsonb->>(line.before->>'plan'))::int, 0) as raised) as plans
    left join payments on payments.change_id = line.change_id and payments.user_id = line.user_id
    where (undone_at is null or is_skipped) and coalesce(line.after->>'role', 'user') = 'user'
      and case bulk_changes.kind when 'create' then true when 'renew' then true when 'add-days' then true
        when 'change-plan' then raised when 'import' then raised or line.before->>'exists' = 'false'
        when 'edit' then raised or (line.after->>'expiryDate')::timestamptz
          > greatest((line.before->>'expiryDate')::timestamptz, created_at)
        else false end`
}

/** Without a payment, or with one below the price. A book entry is never removed. */
const IS_UNPAID = sql`(state is null or (state = 'confirmed' and amount < "paidPrice"))`
const IS_LATELY = sql`made_at >= engine_now() - make_interval(days => ${LISTED_DAYS}::int)`

/** The value that the next change of it found. */
const nextOld = (name: 'plan' | 'expiryDate'): Sql => sql`
  (select other.before->>${name} from bulk_change_users as other
    join bulk_changes as later on later.id = other.change_id
    where other.user_id = users.id and later.created_at > made_at and other.before ? ${name}
    order by later.created_at limit 1)`

/**
 * Returns acts with their accounts, apart from those in the trash. A plan or an end that an act left
 * alone is the one before the next change of it.
 */
const withAccounts = (acts: Sql, where: Sql, rest: Sql = empty): Sql => sql`
  select "changeId" || '.' || "userId" as id, "changeId", "userId", username, acts.kind,
    ${isoText(sql`made_at`)} as at, by, actor_id as "actorId", "isRenewal",
    coalesce(acts.after->>'plan', ${nextOld('plan')}, users.plan::text) as plan,
    acts.before->>'plan' as "planBefore", acts.before->>'expiryDate' as "from",
    case when acts.after ? 'expiryDate' then acts.after->>'expiryDate'
      else coalesce(${nextOld('expiryDate')}, ${isoText(sql`users.expiry_date`)}) end as "to",
    case when state is null then null
      else json_build_object('amount', amount, 'currency', currency) end as paid, "paidPrice",
    json_build_object('role', users.role, 'isActive', is_active, 'plan', users.plan,
      'expiryDate', ${isoText(sql`users.expiry_date`)}) as account
  from (${acts}) as acts join users on users.id = "userId" and deleted_at is null
  where ${where} ${rest}`

/** Lists the newest acts of the last weeks without a payment, or with one below the price. */
export async function listUnpaid(
  db: Executor,
  { kind = null, userId = null }: { kind?: ActKind | null; userId?: string | null } = {},
): Promise<SoldAct[]> {
  const plans = await getPlans(db)
  const rows = await db.rows<StoredAct>(
    withAccounts(
      actsSql(plans),
      sql`${IS_LATELY} and ${IS_UNPAID} and (${kind}::text is null or acts.kind = ${kind})
        and (${userId}::uuid is null or "userId" = ${userId}::uuid)`,
      sql`order by made_at desc, "userId" limit ${MOST_LISTED}`,
    ),
  )
  return rows.map((row) => toAct(row, plans))
}

/** Lists what one of these actors has given since a moment, the newest first, at most 200. */
export async function listActsBy(
  db: Executor,
  { actorIds, since }: { actorIds: readonly string[]; since: Sql },
): Promise<(SoldAct & { actorId: string })[]> {
  const plans = await getPlans(db)
  const rows = await db.rows<StoredAct>(
    withAccounts(
      actsSql(plans),
      sql`made_at >= ${since} and actor_id = any(${[...actorIds]}::uuid[])`,
      sql`order by made_at desc, "userId" limit 200`,
    ),
  )
  return rows.map((row) => ({ ...toAct(row, plans), actorId: row.actorId }))
}

/** Counts the acts of the last weeks without a payment, or with one below the price, by kind. */
export async function countUnpaid(db: Executor): Promise<Record<ActKind, number>> {
  const acts = actsSql(await getPlans(db))
  const rows = await db.rows<{ kind: ActKind; n: number }>(sql`
    select acts.kind, count(*)::int as n from (${acts}) as acts
    join users on users.id = "userId" and deleted_at is null
    where ${IS_LATELY} and ${IS_UNPAID} group by acts.kind`)
  const count = (kind: ActKind) => rows.find((row) => row.kind === kind)?.n ?? 0
  return {
    created: count('created'),
    renewed: count('renewed'),
    upgraded: count('upgraded'),
    imported: count('imported'),
  }
}

/** Returns an act without a payment, or null: there is none, or it has a payment by now. */
export async function findUnpaid(db: Executor, id: string | null): Promise<StoredAct | null> {
  const [changeId = '', userId = ''] = id?.split('.') ?? []
  if (!isId(changeId) || !isId(userId)) return null
  const acts = actsSql(await getPlans(db))
  const one = sql`"changeId" = ${changeId} and "userId" = ${userId} and state is null`
  return (await db.row<StoredAct>(withAccounts(acts, one))) ?? null
}
