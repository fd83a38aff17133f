import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import { seconds } from '~/lib/time'
import {
  providerErrorOrThrow,
  type Credential,
  type ProviderError,
} from '~/platform/providers/port'
import { Secret } from '~/platform/secrets/secret'
import type { Tx } from '~/platform/db/port'
import type { AdminCtx } from '../context'
import { AppError } from '../errors'
import { logActivity } from '../activity/write.server'
import { findProviderOf } from '../providers.server'
import { credentialState, tokenName } from './state.server'
import type { CredentialState } from './types'

const PATIENCE_MS = seconds(10)

export type CheckOutcome = { works: boolean; message: string }

type Row = {
  of: string | null
  kind: Credential['kind']
  accountScope: string
  sealed: Buffer
  name: string
  state: CredentialState
  death: string | null
}

/**
 * Tests a token with one call that costs nothing, and says what it learned: whether the provider knows
 * the token. A known one that was dead because it was refused is ok again. One whose account is
 * suspended or out of credits stays so, because only an order can show that it takes orders again. A
 * refused one is dead. If the provider cannot be reached, the token's state does not change. Throws
 * NOT_FOUND.
 */
export async function checkPoolToken(ctx: AdminCtx, id: string): Promise<CheckOutcome> {
  const { db, vault } = ctx
  const row = isId(id)
    ? await db.row<Row>(sql`
        select kind, provider as of, account_scope as "accountScope", secret_cipher as sealed, ${tokenName} as name,
          ${credentialState} as state, death
        from credentials where id = ${id} and removal_id is null`)
    : undefined
  if (!row) throw new AppError('NOT_FOUND', 'This token does not exist')
  const provider = findProviderOf(ctx, row.of ?? ctx.provider.kind, row.accountScope)
  if (!provider) return { works: false, message: NOT_SET_UP }
  if (!provider.check) {
    return {
      works: true,
      message: 'The provider in use needs no token, so there is nothing to test.',
    }
  }
  const { kind, accountScope, sealed, name } = row
  const credential = { id, kind, accountScope, secret: new Secret(vault.open(id, sealed)) }
  const failure = await provider
    .check(credential, AbortSignal.timeout(PATIENCE_MS))
    .then(() => null)
    .catch(providerErrorOrThrow)
  const message = failure ? FINDINGS[failure.fault.kind] : knownText(row)
  await db.transaction(async (tx) => {
    const subject = { kind: 'token', id, name } as const
    await logActivity(tx, ctx, { action: 'token.test', subject, after: { result: message } })
    const isChanged = await (failure ? noteFailure(tx, id, failure) : noteSuccess(ctx, tx, id))
    if (isChanged)
      await logActivity(tx, ctx, { action: failure ? 'token.death' : 'token.revive', subject })
  })
  return { works: failure === null, message }
}

const KNOWN = 'The provider knows the token.'

/** Returns what a test has shown that the provider passed, and what it cannot show. */
function knownText({ state, death }: Row): string {
  if (death === 'suspended')
    return `${KNOWN} Orders were refused because its account is suspended, so it stays suspended. “Try now” sends one order.`
  if (state === 'spent')
    return `${KNOWN} Its account had no credits at the last order. “Try now” sends one order.`
  return `${KNOWN} Whether its account takes orders, only an order shows.`
}

/**
 * Notes that the provider knows a token. If it was dead because it was refused, it is ok again and
 * videos held for lack of a token continue. Its last error stays, with its time. Returns whether it was
 * dead.
 */
async function noteSuccess({ queue }: AdminCtx, tx: Tx, id: string): Promise<boolean> {
  const revived = await tx.run(sql`
    update credentials set state = 'ok', death = null, died_at = null
    where id = ${id} and state <> 'ok' and death is distinct from 'suspended'`)
  await tx.run(sql`
    update credentials set refusals = 0, refused_video_id = null, may_ask = true
    where id = ${id} and state = 'ok'`)
  if (revived > 0) await queue.add(tx, [{ name: 'videos.wake', payload: { reason: 'token' } }])
  return revived > 0
}

/** Records why a token did not pass. A refused token is dead; returns whether it was alive before. */
async function noteFailure(
  tx: Tx,
  id: string,
  { fault, evidence }: ProviderError,
): Promise<boolean> {
  await tx.run(sql`
    update credentials set last_error = ${evidence.message}, last_error_at = engine_now()
    where id = ${id}`)
  if (fault.kind !== 'unauthorized') return false
  const died = await tx.run(sql`
    update credentials set state = 'dead', failures = failures + 1, death = 'refused',
      died_at = engine_now(), may_ask = false
    where id = ${id} and state <> 'dead'`)
  return died > 0
}

const NOT_SET_UP =
  'The provider of this token is not set up, or has another address now. Paste it again to use it.'

const FINDINGS = {
  unauthorized: 'The provider refuses the token. It is dead; remove it or paste a new one.',
  'rate-limited':
    'The provider knows the token, but its account is busy just now. Try again in a minute.',
  'quota-exhausted': 'The provider knows the token, but its account has no credits or quota left.',
  'invalid-request': 'The provider did not understand the test. The token was left as it was.',
  'content-blocked': 'The provider did not understand the test. The token was left as it was.',
  transient: 'The provider could not be asked. The token was left as it was; try again later.',
  permanent: 'The account of the token may not make videos. Look at its permissions.',
} as const satisfies Record<ProviderError['fault']['kind'], string>
