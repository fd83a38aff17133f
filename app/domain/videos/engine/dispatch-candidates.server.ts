import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import type { Deps } from '../../context'
import { ACTIVE } from './attempts.server'
import { isOf } from '../../tokens/state.server'
import type { planDispatch, Candidate, Waiting } from './dispatch-plan'

/** Number of pool tokens to load. Larger than a batch of the dispatch, so that one cannot need more. */
const POOL_LOOK_AHEAD = 60
/** Share of the provider's rate limit to use, because its minute does not start when ours does. */
const RATE_SHARE = 0.9

type CandidateDeps = Pick<Deps, 'provider' | 'otherProviders' | 'settings'>

/** What `planDispatch` has to know beside the line and the gates. */
type Candidates = Omit<
  Parameters<typeof planDispatch>[0],
  'waiting' | 'guests' | 'gates' | 'refusals'
>

/**
 * Loads the candidate tokens, their orders in progress, and the remaining rate limit per account. An
 * order counts from the time it was sent; one that is still to be sent counts as well.
 */
export async function readCandidates(
  { provider, otherProviders, settings }: CandidateDeps,
  tx: Tx,
  waiting: readonly Waiting[],
): Promise<Candidates> {
  const { needsCredential, submitsPerMinute } = provider.can
  const own = waiting.flatMap(({ ownCredentialId }) => ownCredentialId ?? [])
  const rows = needsCredential
    ? await tx.rows<Candidate & { isDefault: boolean; inPool: boolean }>(sql`
        with pool as (
          select id from credentials where pool_position is not null and state <> 'dead' and ${isOf(provider)}
          order by exists (select 1 from provider_gates as gate
              where gate.scope = credentials.account and closed_until > engine_now()),
            last_assigned_at nulls first, pool_position limit ${POOL_LOOK_AHEAD}
        )
        select id, account_scope as "accountScope", account, is_default as "isDefault",
          id in (select id from pool) as "inPool",
          state = 'dead' as "isDead",
          (select count(*)::int from attempts
            where credential_id = credentials.id and state in (${ACTIVE})) as "inFlight"
        from credentials
        where ${isOf(provider)} and (is_default or id = any(${own}::uuid[]) or id in (select id from pool))
        order by last_assigned_at nulls first, pool_position
        for update`)
    : []
  const distinct = (texts: string[]) => (needsCredential ? [...new Set(texts)] : [provider.kind])
  const accounts = distinct(rows.map((row) => row.account))
  const scopes = distinct(rows.map((row) => row.accountScope))
  const sent = submitsPerMinute === undefined ? [] : await sentLately(tx, scopes)
  const perMinute = Math.floor((submitsPerMinute ?? 0) * RATE_SHARE)
  const left = (account: string) =>
    perMinute - (sent.find((row) => row.account === account)?.count ?? 0)
  return {
    needsCredential,
    fallbackScope: provider.kind,
    credentials: rows,
    defaultId: rows.find((row) => row.isDefault)?.id ?? null,
    elsewhereIds: await readElsewhere(tx, { own, otherProviders }),
    poolIds: rows.filter((row) => row.inPool).map(({ id }) => id),
    room: new Map(
      submitsPerMinute === undefined ? [] : accounts.map((account) => [account, left(account)]),
    ),
    perToken: settings.maxInFlightPerToken,
  }
}

/** Returns which of the users' own tokens are of the other providers. */
async function readElsewhere(
  tx: Tx,
  { own, otherProviders }: Pick<Deps, 'otherProviders'> & { own: readonly string[] },
): Promise<string[]> {
  if (otherProviders.length === 0 || own.length === 0) return []
  const kinds = otherProviders.map(({ kind }) => kind)
  const rows = await tx.rows<{ id: string }>(sql`
    select id from credentials where id = any(${[...own]}::uuid[]) and provider = any(${kinds}::text[])`)
  return rows.map(({ id }) => id)
}

/** Counts the orders of the last minute by account. */
const sentLately = (tx: Tx, scopes: readonly string[]) =>
  tx.rows<{ account: string; count: number }>(sql`
    select coalesce(credentials.account, account_scope) as account, count(*)::int as count
    from attempts left join (select id, account from credentials) as credentials
      on credentials.id = credential_id
    where account_scope = any(${[...scopes]}::text[]) and attempts.created_at > engine_now() - interval '10 minutes'
      and (state = 'queued' or sent_at > engine_now() - interval '60 seconds')
    group by 1`)
