import sql, { type Sql } from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { Executor } from '~/platform/db/port'
import { logActivity } from '~/domain/activity/write.server'
import type { AdminCtx } from '~/domain/context'
import { today } from '~/domain/days.server'
import { AppError } from '~/domain/errors'
import { allProviders } from '~/domain/providers.server'
import { isoText } from '~/domain/iso-text.server'
import type { TokenFilter, TokenPage, TokenRemovalView, TokenView } from './desk-rules'
import { UNDO_HOURS } from './desk-rules'
import type { EditTokenInput } from './desk-schemas'
import { accountName, accountOf } from './token-account'
import type { CredentialState } from './types'
import { coolUntil, credentialState, tokenName, pauseReason } from './state.server'

const PAGE_SIZE = 50
const HOLDERS_SHOWN = 3

/** Tokens that can be used or come back: the default, the pool, and those that users hold. */
export const IS_LISTED = sql`removal_id is null and (is_default or pool_position is not null
  or exists (select 1 from users where users.credential_id = credentials.id and users.deleted_at is null))`

const counted = (since: Sql): Sql => sql`(
  select json_build_object('orders', coalesce(sum(orders), 0)::int,
    'delivered', coalesce(sum(delivered), 0)::int, 'failed', coalesce(sum(failed), 0)::int)
  from credential_days where credential_days.credential_id = listed.id and day > ${since})`

const ORDERS = {
  place: sql`is_default desc, pool_position nulls last, number`,
  state: sql`case shown_state when 'dead' then 0 when 'spent' then 1 when 'cooling' then 2 else 3 end, is_default desc,
    pool_position nulls last, number`,
  failures: sql`(select coalesce(sum(failed), 0) from credential_days
    where credential_days.credential_id = listed.id and day > listed.today - 30) desc, number`,
} as const satisfies Record<TokenFilter['sort'], Sql>

type Row = Omit<TokenView, 'account' | 'sharesWith' | 'isUnused'> & {
  account: string
  accountScope: string
  sharesWith: number
}

/** Lists one page of all tokens. What became of their orders is read from kept counts. */
export async function listTokens(
  ctx: AdminCtx,
  { state, sort, page }: TokenFilter,
): Promise<TokenPage> {
  const { db, settings, provider } = ctx
  const listed = sql`
    select credentials.*, ${credentialState} as shown_state, ${coolUntil} as cool_until_now,
      ${pauseReason} as pause_reason, ${today(settings.timeZone)} as today
    from credentials where ${IS_LISTED}`
  const totals = await db.one<{ total: number; dead: number }>(sql`
    select count(*) filter (where ${state} = 'all' or shown_state = ${state})::int as total,
      count(*) filter (where shown_state = 'dead' and not is_default)::int as dead
    from (${listed}) as listed`)
  const rows = await db.rows<Row>(sql`
    select id, coalesce(label, 'Token ' || number) as label, coalesce(last_four, '') as "lastFour",
      case when is_default then 'default' when pool_position is not null then 'pool' else 'personal' end as place,
      nullif(provider, ${provider.kind}) as "otherProvider", pool_position as position, account, account_scope as "accountScope",
      (select count(*)::int from credentials as other
        where other.account = listed.account and other.id <> listed.id and other.removal_id is null) as "sharesWith",
      note, to_char(paid_until, 'YYYY-MM-DD') as "paidUntil",
      coalesce(paid_until < listed.today, false) as "isPaidOver", cost_per_video::text as "costPerVideo",
      shown_state as state, death, pause_reason as "pauseReason", ${isoText(sql`cool_until_now`)} as "coolUntil",
      last_error as "lastError", ${isoText(sql`last_error_at`)} as "lastErrorAt",
      (select coalesce(json_agg(holder), '[]') from (
        select users.id, username from users where credential_id = listed.id and deleted_at is null
        order by username limit ${HOLDERS_SHOWN}) as holder) as holders,
      (select count(*)::int from users where credential_id = listed.id and deleted_at is null) as "holderCount",
      ${counted(sql`listed.today - 1`)} as today, ${counted(sql`listed.today - 30`)} as month
    from (select * from (${listed}) as everything where ${state} = 'all' or shown_state = ${state}) as listed
    order by ${ORDERS[sort]} limit ${PAGE_SIZE} offset ${(page - 1) * PAGE_SIZE}`)
  const tokens = rows.map(({ account, accountScope, ...row }) => ({
    ...row,
    account: accountName(account, accountScope),
    isUnused: !allProviders(ctx).some(
      ({ kind, scope = accountScope }) =>
        kind === (row.otherProvider ?? provider.kind) && scope === accountScope,
    ),
  }))
  return { tokens, ...totals, pages: Math.max(1, Math.ceil(totals.total / PAGE_SIZE)) }
}

/** The token of a user's own, as operators know it. */
export type OwnToken = {
  name: string
  state: CredentialState
  death: string | null
  lastError: string | null
}

/** Returns the token that is a user's own, or null: then the default is used, or the next of the pool. */
export const findTokenOf = async ({ db }: AdminCtx, userId: string): Promise<OwnToken | null> =>
  (await db.row<OwnToken>(sql`
    select ${tokenName} as name, ${credentialState} as state, death, last_error as "lastError"
    from users join credentials on credentials.id = users.credential_id
    where users.id = ${userId}`)) ?? null

/** Lists the removals that can still be undone, newest first. */
export const listRemovals = ({ db }: AdminCtx): Promise<TokenRemovalView[]> =>
  db.rows<TokenRemovalView>(sql`
    select id, actor_name as "actorName", count, ${isoText(sql`removed_at`)} as "removedAt"
    from key_removals
    where undone_at is null and removed_at > engine_now() - make_interval(hours => ${UNDO_HOURS})
    order by removed_at desc limit 20`)

/** Returns what the operator notes about a token; nothing if there is no such token. */
export async function findTokenFacts(db: Executor, id: string) {
  const token = isId(id)
    ? await db.row<TokenNotes & { account: string; accountScope: string }>(sql`
        select coalesce(label, '') as label, account, account_scope as "accountScope", note,
          to_char(paid_until, 'YYYY-MM-DD') as "paidUntil", cost_per_video::text as "costPerVideo"
        from credentials where id = ${id} and removal_id is null`)
    : undefined
  return token && { ...token, account: accountName(token.account, token.accountScope) }
}

type TokenNotes = Pick<TokenView, 'label' | 'note' | 'paidUntil' | 'costPerVideo'>

/**
 * Changes what the operator notes about a token, and the account to which it belongs. Orders under way
 * stay with their token. Throws NOT_FOUND, or BAD_INPUT for the account of a service account.
 */
export async function editToken(ctx: AdminCtx, { id, ...facts }: EditTokenInput): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const token = isId(id)
      ? await tx.row<Omit<Before, 'account'> & Placed>(sql`
          select id, kind, account_scope as "accountScope", account, label, note,
            to_char(paid_until, 'YYYY-MM-DD') as "paidUntil", cost_per_video::text as "costPerVideo"
          from credentials where id = ${id} and removal_id is null for update`)
      : undefined
    if (!token) throw new AppError('NOT_FOUND', 'This token does not exist')
    const { kind, accountScope, label, note, paidUntil, costPerVideo } = token
    if (facts.account !== null && kind !== 'static-bearer') {
      const problem = 'The account of a service account is its project.'
      throw new AppError('BAD_INPUT', problem, { fields: { account: [problem] } })
    }
    const wanted = { name: facts.account, accounts: ctx.settings.tokenAccounts }
    const known = accountName(token.account, accountScope)
    const account = facts.account === known ? token.account : accountOf(token, wanted)
    const { name } = await tx.one<{ name: string }>(sql`
      update credentials set label = ${facts.label}, note = ${facts.note}, account = ${account},
        paid_until = ${facts.paidUntil}::date, cost_per_video = ${facts.costPerVideo}::numeric
      where id = ${id} returning ${tokenName} as name`)
    await logActivity(tx, ctx, {
      action: 'token.edit',
      subject: { kind: 'token', id, name },
      before: { label, note, paidUntil, costPerVideo, account: known },
      after: facts,
    })
    // Its new account may be open.
    await ctx.queue.add(tx, [{ name: 'videos.wake', payload: { reason: 'token' } }])
  })
}

type Before = {
  label: string | null
  note: string | null
  paidUntil: string | null
  costPerVideo: string | null
  account: string | null
}
type Placed = {
  id: string
  kind: 'static-bearer' | 'service-account' | 'none'
  accountScope: string
  account: string
}
