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
import { databaseNow } from '../clock.server'
import type { AdminCtx } from '../context'
import { AppError } from '../errors'
import { writeAudit } from '../audit.server'

const PATIENCE_MS = seconds(10)

export type CheckOutcome = { works: boolean; message: string }

type Row = { kind: Credential['kind']; accountScope: string; sealed: Buffer; mask: string }

/**
 * Tests a pool token with one call that costs nothing and records the result. A token that works is
 * marked as ok, even if it was dead. A token that is refused is marked as dead. If the provider
 * cannot be reached, the token's state does not change. Throws NOT_FOUND.
 */
export async function checkPoolToken(ctx: AdminCtx, id: string): Promise<CheckOutcome> {
  const { db, vault, provider } = ctx
  const row = isId(id)
    ? await db.row<Row>(sql`
        select kind, account_scope as "accountScope", secret_cipher as sealed, mask
        from credentials where id = ${id} and pool_position is not null`)
    : undefined
  if (!row) throw new AppError('NOT_FOUND', 'This token is not in the pool')
  if (!provider.check) {
    return {
      works: true,
      message: 'The provider in use needs no token, so there is nothing to test.',
    }
  }
  const { kind, accountScope, sealed, mask } = row
  const credential = { id, kind, accountScope, secret: new Secret(vault.open(id, sealed)) }
  const failure = await provider
    .check(credential, AbortSignal.timeout(PATIENCE_MS))
    .then(() => null)
    .catch(providerErrorOrThrow)
  const message = failure ? FINDINGS[failure.fault.kind] : 'The token works.'
  await db.transaction(async (tx) => {
    await (failure ? noteFailure(tx, id, failure) : noteSuccess(ctx, tx, id))
    const subject = { kind: 'token', id, name: mask } as const
    await writeAudit(tx, ctx, { action: 'token.test', subject, after: { result: message } })
  })
  return { works: failure === null, message }
}

/** Marks a token as ok. If it was not ok before, videos held for lack of a token continue. */
async function noteSuccess({ queue }: AdminCtx, tx: Tx, id: string): Promise<void> {
  const { count: revived } = await tx.prisma(({ credential }) =>
    credential.updateMany({ where: { id, state: { not: 'ok' } }, data: { state: 'ok' } }),
  )
  await tx.prisma(({ credential }) =>
    credential.updateMany({ where: { id }, data: { lastError: null, lastErrorAt: null } }),
  )
  if (revived > 0) await queue.add(tx, [{ name: 'videos.wake', payload: { reason: 'token' } }])
}

async function noteFailure(tx: Tx, id: string, { fault, evidence }: ProviderError): Promise<void> {
  const death = { state: 'dead', failures: { increment: 1 } } as const
  const data = {
    lastError: evidence.message,
    lastErrorAt: await databaseNow(tx),
    ...(fault.kind === 'unauthorized' && death),
  }
  await tx.prisma(({ credential }) => credential.updateMany({ where: { id }, data }))
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
