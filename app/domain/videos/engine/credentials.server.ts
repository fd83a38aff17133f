import sql, { type Sql } from 'sql-template-tag'
import type { Executor } from '~/platform/db/port'
import { ProviderError, Secret, type Credential } from '~/platform/providers/port'
import type { EngineCtx, HeldAttempt } from './context'

const NONE = { id: 'none', kind: 'none', secret: new Secret('') } as const

type Row = { id: string; kind: Credential['kind']; accountScope: string; sealed: Buffer }

const columns = sql`id, kind, account_scope as "accountScope", secret_cipher as sealed`

/**
 * The token an order goes out with. One that died since it was chosen is not used: throws the
 * ProviderError that the provider would answer with.
 */
export async function credentialForSubmit(
  ctx: EngineCtx,
  attempt: HeldAttempt,
): Promise<Credential> {
  const { accountScope, credentialId } = attempt
  if (!ctx.provider.can.needsCredential) return { ...NONE, accountScope }
  const row = await ctx.db.row<Row>(sql`
    select ${columns} from credentials where id = ${credentialId} and state <> 'dead'`)
  if (!row) throw unauthorized('its token was found dead meanwhile')
  return open(ctx, row)
}

/**
 * A token for asking about an order: its own, else any living one of the same account, because an
 * order lives in the account that took it. Throws a ProviderError when there is none.
 */
export async function credentialForOrder(
  ctx: EngineCtx,
  attempt: HeldAttempt,
): Promise<Credential> {
  const { accountScope, credentialId } = attempt
  if (!ctx.provider.can.needsCredential) return { ...NONE, accountScope }
  const row = await ctx.db.row<Row>(sql`
    select ${columns} from credentials where account_scope = ${accountScope} and state <> 'dead'
    order by id = ${credentialId} desc, is_default desc, last_used_at desc nulls last limit 1`)
  if (!row) throw unauthorized(`needs a token for account ${accountScope}`)
  return open(ctx, row)
}

function open({ vault }: EngineCtx, { id, kind, accountScope, sealed }: Row): Credential {
  return { id, kind, accountScope, secret: new Secret(vault.open(id, sealed)) }
}

const unauthorized = (message: string) =>
  new ProviderError({ kind: 'unauthorized' }, 'not-sent', { message })

/** Whether an account still has a token that lives. */
export async function hasLivingCredential(db: Executor, accountScope: string): Promise<boolean> {
  return Boolean(
    await db.row(sql`
      select 1 from credentials where account_scope = ${accountScope} and state <> 'dead' limit 1`),
  )
}

/** Marks a token dead, once, however many orders find it so; false when it was dead already. */
export async function buryCredential(db: Executor, id: string, why: string): Promise<boolean> {
  const buried = await db.run(sql`
    update credentials set state = 'dead', failures = failures + 1, last_error = ${why},
      last_error_at = engine_now()
    where id = ${id} and state <> 'dead'`)
  return buried > 0
}

/** Notes that an order went out with a token: a part of the statement that stores it, see `goOn`. */
export const noteUse = (credentialId: string | null): Sql => sql`, used as (
    update credentials set successes = successes + 1, last_used_at = engine_now() from written
    where credentials.id = ${credentialId}
  )`
