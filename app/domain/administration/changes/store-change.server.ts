import sql from 'sql-template-tag'
import { newId } from '~/lib/ids'
import type { Tx } from '~/platform/db/port'
import type { ActivityAction, ActivityFacts } from '../../activity/types'
import { logActivity } from '../../activity/write.server'
import { databaseNow } from '../../clock.server'
import type { AdminCtx } from '../../context'
import { today } from '../../days.server'
import { admitWaiting } from '../../videos/line.server'
import { FIELD_CHANGES } from '../account-columns.server'
import type { BulkFacts, BulkLine } from './bulk-rules'
import type { BulkKind } from './bulk-schemas'

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
