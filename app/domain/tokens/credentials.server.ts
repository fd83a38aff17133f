import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import { newId } from '~/lib/ids'
import type { Tx } from '~/platform/db/port'
import type { AdminCtx, Ctx } from '../context'
import { AppError } from '../errors'
import { BY_ITSELF, logActivity } from '../activity/write.server'
import { accountOf } from './token-account'
import { assignInTurn, lastFourOf, maskToken } from './rules'
import { isOf, tokenName } from './state.server'

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * Returns a hash by which the same token of the same provider and scope is recognised without storing it in
 * clear text. One key may be that of several providers of one service: it is a row of each, with a hash of
 * its own for all but the first. A row keeps its scope, because its orders are asked for with it.
 */
async function fingerprintOf(
  tx: Tx,
  token: string,
  { kind, accountScope }: { kind: string; accountScope: string },
): Promise<string> {
  const [plain, own] = [hashOf(token), hashOf(`${kind} ${accountScope} ${token}`)]
  const { isOwn } = await tx.one<{ isOwn: boolean }>(sql`
    select exists (select 1 from credentials where fingerprint = ${own}
      or (fingerprint = ${plain} and not (${isOf({ kind, scope: accountScope })}))) as "isOwn"`)
  return isOwn ? own : plain
}

type Wallet = Pick<Ctx, 'vault' | 'provider' | 'settings'>
type Asker = AdminCtx | typeof BY_ITSELF

/** What an operator says about a pasted token. */
export type TokenFacts = { label?: string | null | undefined; account?: string | null | undefined }

type StoredToken = {
  id: string
  /** Label and last characters. */
  name: string
  isNew: boolean
  /** It was dead or removed, and is in use again. */
  isRevived: boolean
}

/**
 * Stores a pasted token and returns its row, which is created if it is new. A dead or removed token is
 * ok again, because pasting it implies that it works. Throws BAD_INPUT if the provider does not
 * accept the token's format.
 */
export async function storeToken(
  ctx: Wallet,
  tx: Tx,
  { token, by, label, account }: TokenFacts & { token: string; by: Asker },
): Promise<StoredToken> {
  const { vault, provider, settings } = ctx
  const scope = provider.scopeOf?.(token) ?? {
    ok: true as const,
    kind: 'static-bearer' as const,
    accountScope: provider.kind,
  }
  if (!scope.ok)
    throw new AppError('BAD_INPUT', scope.problem, { fields: { token: [scope.problem] } })
  const id = newId()
  const fingerprint = await fingerprintOf(tx, token, { ...scope, kind: provider.kind })
  const named = { name: account, accounts: settings.tokenAccounts }
  const isNamed = Boolean(account) && scope.kind === 'static-bearer'
  const row = await tx.one<Omit<StoredToken, 'isNew' | 'isRevived'> & { was: string | null }>(sql`
    with known as (
      select case when removal_id is not null then 'removed' else state::text end as was
      from credentials where fingerprint = ${fingerprint}
    )
    insert into credentials (id, kind, provider, account_scope, account, is_placed, label, last_four,
      secret_cipher, fingerprint, mask, created_at)
    values (${id}, ${scope.kind}, ${provider.kind}, ${scope.accountScope}, ${accountOf({ id, ...scope }, named)}, true,
      ${label ?? null}, ${lastFourOf(token)}, ${vault.seal(id, token)}, ${fingerprint},
      ${maskToken(token)}, engine_now())
    on conflict (fingerprint) do update set state = 'ok', kind = excluded.kind,
      provider = excluded.provider, death = null,
      died_at = null, refusals = 0, refused_video_id = null, may_ask = true, removal_id = null,
      last_four = excluded.last_four, label = coalesce(excluded.label, credentials.label),
      is_placed = true,
      account = case when ${isNamed}::boolean then excluded.account
        when credentials.is_placed then credentials.account
        else replace(excluded.account, excluded.id::text, credentials.id::text) end
    returning id, ${tokenName} as name, (select was from known) as was`)
  const { was, ...stored } = row
  const isRevived = was === 'dead' || was === 'removed'
  const subject = { kind: 'token', id: stored.id, name: stored.name } as const
  if (isRevived) await logActivity(tx, by, { action: 'token.revive', subject })
  return { ...stored, isNew: was === null, isRevived }
}

/** Stores a token that no administrator pasted (`storeToken`) and returns its id. */
export const storeCredential = async (ctx: Wallet, tx: Tx, token: string): Promise<string> =>
  (await storeToken(ctx, tx, { token, by: BY_ITSELF })).id

/** Gives the users the tokens in turn. Does not note that they were assigned. */
export async function giveInTurn(
  tx: Tx,
  users: readonly { id: string }[],
  tokens: readonly [{ id: string }, ...{ id: string }[]],
): Promise<void> {
  const plan = assignInTurn(users, tokens)
  await tx.run(sql`
    update users set credential_id = given.credential_id
    from unnest(${plan.map(({ user }) => user.id)}::uuid[], ${plan.map(({ token }) => token.id)}::uuid[])
      as given(id, credential_id)
    where users.id = given.id`)
}

/**
 * Deletes credentials that are no longer referenced by a user, the pool or an order in progress, and
 * whose removal can no longer be undone. The states are those of `ACTIVE` in the engine, which this
 * area may not import.
 */
export async function forgetUnused(tx: Tx): Promise<void> {
  await tx.run(sql`
    with gone as (
      delete from credentials where pool_position is null and not is_default and removal_id is null
        and not exists (select 1 from users where credential_id = credentials.id)
        and not exists (select 1 from attempts where credential_id = credentials.id
          and state in ('queued', 'submitting', 'submitted', 'fetching', 'unknown'))
      returning id
    )
    delete from credential_days using gone where credential_id = gone.id`)
}

/**
 * Makes the operator's own token (VIDEO_PROVIDER_TOKEN) the default of its provider, or removes the
 * default if it is not set. Called when a worker starts. A default that was dead is tried again.
 */
export async function storeDefaultCredential(
  ctx: Wallet & Pick<Ctx, 'db'>,
  token: string | undefined,
): Promise<void> {
  // Also if its address was another one.
  const isDefaultOf = isOf({ kind: ctx.provider.kind })
  await ctx.db.transaction(async (tx) => {
    const current = await tx.row<{ fingerprint: string; scope: string; isDead: boolean }>(sql`
      select fingerprint, account_scope as scope, state = 'dead' or removal_id is not null as "isDead"
      from credentials where is_default and ${isDefaultOf} for update`)
    const scope = token === undefined ? undefined : ctx.provider.scopeOf?.(token)
    const { kind } = ctx.provider
    const accountScope = scope?.ok ? scope.accountScope : (current?.scope ?? kind)
    const fingerprint =
      token === undefined ? null : await fingerprintOf(tx, token, { kind, accountScope })
    if (current?.fingerprint === fingerprint && !current.isDead) return
    await tx.run(sql`
      update credentials set is_default = false where is_default and ${isDefaultOf}`)
    if (token === undefined) return
    const id = await storeCredential(ctx, tx, token)
    await tx.run(sql`update credentials set is_default = true where id = ${id}`)
  })
}

type Unplaced = {
  id: string
  kind: 'static-bearer' | 'service-account' | 'none'
  accountScope: string
  account: string
  isPlaced: boolean
  sealed: Buffer
}

/**
 * Completes tokens that an earlier version has added: notes their provider and their last characters, and
 * puts each into the account that TOKEN_ACCOUNTS says. Orders under way stay with their tokens. Called
 * when a worker starts.
 */
export async function placeTokens({
  db,
  vault,
  provider,
  settings,
  log,
}: Pick<Ctx, 'db' | 'vault' | 'provider' | 'settings' | 'log'>): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run(sql`
      update credentials set provider = ${provider.kind} where provider is null`)
    const rows = await tx.rows<Unplaced>(sql`
      select id, kind, account_scope as "accountScope", account, is_placed as "isPlaced",
        secret_cipher as sealed
      from credentials where not is_placed or last_four is null for update`)
    const placed = rows.map(({ sealed, ...token }) => ({
      ...token,
      lastFour: lastFourIn(sealed, token.id),
      account: token.isPlaced
        ? token.account
        : accountOf(token, { accounts: settings.tokenAccounts }),
    }))
    await tx.run(sql`
      update credentials set account = given.account, is_placed = true, last_four = given.last_four
      from unnest(${placed.map(({ id }) => id)}::uuid[], ${placed.map(({ account }) => account)}::text[],
        ${placed.map(({ lastFour }) => lastFour)}::text[]) as given(id, account, last_four)
      where credentials.id = given.id`)
  })

  function lastFourIn(sealed: Buffer, id: string): string | null {
    try {
      return lastFourOf(vault.open(id, sealed))
    } catch (error) {
      log.warn({ credentialId: id, err: error }, 'a token cannot be decrypted')
      return null
    }
  }
}
