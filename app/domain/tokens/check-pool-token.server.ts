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
import { writeAudit } from '../audit/write.server'
import { keyName } from './state.server'

const PATIENCE_MS = seconds(10)

export type CheckOutcome = { works: boolean; message: string }

type Row = { kind: Credential['kind']; accountScope: string; sealed: Buffer; name: string }

/**
 * Tests a pool token with one call that costs nothing and records the result. A token that works is
 * marked as ok, even if it was dead. A token that is refused is marked as dead. If the provider
 * cannot be reached, the token's state does not change. Throws NOT_FOUND.
 */
export async function checkPoolToken(ctx: AdminCtx, id: string): Promise<CheckOutcome> {
  const { db, vault, provider } = ctx
  const row = isId(id)
    ? await db.row<Row>(sql`
        select kind, account_scope as "accountScope", secret_cipher as sealed, ${keyName} as name
        from credentials where id = ${id} and removal_id is null`)
    : undefined
  if (!row) throw new AppError('NOT_FOUND', 'This token does not exist')
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
  const message = failure ? FINDINGS[failure.fault.kind] : 'The token works.'
  await db.transaction(async (tx) => {
    const subject = { kind: 'token', id, name } as const
    await writeAudit(tx, ctx, { action: 'token.test', subject, after: { result: message } })
    const isChanged = await (failure ? noteFailure(tx, id, failure) : noteSuccess(ctx, tx, id))
    if (isChanged)
      await writeAudit(tx, ctx, { action: failure ? 'token.death' : 'token.revive', subject })
  })
  return { works: failure === null, message }
}

/**
 * Marks a token as ok. If it was not ok before, videos held for lack of a token continue. Returns
 * whether it was dead.
 */
async function noteSuccess({ queue }: AdminCtx, tx: Tx, id: string): Promise<boolean> {
  const revived = await tx.run(sql`
    update credentials set state = 'ok', death = null, died_at = null
    where id = ${id} and state <> 'ok'`)
  await tx.run(sql`
    update credentials set last_error = null, last_error_at = null, refusals = 0,
      refused_video_id = null, may_ask = true
    where id = ${id}`)
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

const FINDINGS = {
  unauthorized: 'The provider refuses the token. It is dead; remove it or paste a new one.',
  'rate-limited': 'The token is known, but its account is busy just now. Try again in a minute.',
  'quota-exhausted': 'The token is known, but the quota of its account is used up.',
  'invalid-request': 'The provider did not understand the test. The token was left as it was.',
  'content-blocked': 'The provider did not understand the test. The token was left as it was.',
  transient: 'The provider could not be asked. The token was left as it was; try again later.',
  permanent: 'The account of the token may not make videos. Look at its permissions.',
} as const satisfies Record<ProviderError['fault']['kind'], string>
