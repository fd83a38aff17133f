import sql from 'sql-template-tag'
import { runningTimeout } from '~/lib/running-time'
import { minutes, seconds } from '~/lib/time'
import type { Executor, Tx } from '~/platform/db/port'
import { providerErrorOrThrow, type Evidence } from '~/platform/providers/port'
import { Secret } from '~/platform/secrets/secret'
import { BY_ITSELF, logActivity } from '~/domain/activity/write.server'
import { tokenName } from '~/domain/tokens/state.server'
import { causeOf } from '~/domain/videos/holds'
import type { GateReason } from '~/domain/videos/types'
import type { EngineCtx, LeasedAttempt, SealedCredential } from './context'
import { askingToken } from './credentials.server'
import { noteFailure } from './breaker.server'
import { closeGate } from './close-gate.server'
import { sharersOf } from '../../providers.server'

// A refusal of a token is believed only when the provider's own test of tokens confirms it: providers
// answer single calls with 401 and 403 by mistake, and a dead token costs its owner an hour of work.

const CHECK_MS = seconds(10)
/** Refusals within this time are one: orders under way with a token are refused together. */
const SAME_REFUSAL_MS = seconds(2)
/** Orders refused in a row after which a token is dead, even if its test works or cannot be made. */
const MOST_REFUSALS = 3
/** How long an account rests after a refusal that was not confirmed. */
const DOUBT_MS = { works: seconds(5), unclear: seconds(30) } as const

/** What the provider's own test of a token says. */
type Check = 'works' | 'unauthorized' | 'forbidden' | 'unclear'
/** Why a token is dead: its orders are refused with 401, or its account is suspended (403). */
type Death = 'refused' | 'suspended'

/** Tests a token with one call that costs nothing. Without such a call the refusal is believed. */
async function check({ provider, vault, signal }: EngineCtx, token: SealedCredential) {
  if (!provider.check) return 'unauthorized' satisfies Check
  const { sealed, ...known } = token
  const credential = { ...known, secret: new Secret(vault.open(known.id, sealed)) }
  const timeout = AbortSignal.any([signal, runningTimeout(CHECK_MS)])
  return provider.check(credential, timeout).then(
    (): Check => 'works',
    (error: unknown): Check => {
      const { fault } = providerErrorOrThrow(error)
      if (fault.kind === 'unauthorized') return 'unauthorized'
      return fault.kind === 'permanent' && fault.reason === 'forbidden' ? 'forbidden' : 'unclear'
    },
  )
}

const isDead = async (db: Executor, id: string): Promise<boolean> =>
  (await db.row(sql`select 1 from credentials where id = ${id} and state <> 'dead'`)) === undefined

type Refused = { attempt: LeasedAttempt; evidence: Evidence }

/**
 * Decides about a token whose order was refused with 401. It dies if the provider's test confirms the
 * refusal, or after several orders in a row; otherwise its account rests for some seconds. Either
 * way the caller orders again with whatever token is next.
 */
export async function noteUnauthorized(
  ctx: EngineCtx,
  { attempt, evidence }: Refused,
): Promise<void> {
  const { credential } = attempt
  if (!credential || (await isDead(ctx.db, credential.id))) return
  const outcome = await check(ctx, credential)
  const refusals =
    outcome === 'unauthorized'
      ? MOST_REFUSALS
      : await countRefusal(ctx, credential.id, attempt.videoId)
  await noteWords(ctx.db, credential.id, evidence)
  if (refusals >= MOST_REFUSALS)
    return killToken(ctx, credential.id, { death: 'refused', evidence })
  const retryAfterMs = DOUBT_MS[outcome === 'works' ? 'works' : 'unclear'] * timeScale(ctx)
  await pauseAccount(ctx, { attempt, reason: 'token', evidence, retryAfterMs })
}

const timeScale = ({ settings }: Pick<EngineCtx, 'settings'>) => settings.providerTimeScale

/** Counts a refused order of a token and returns how many there were in a row. */
async function countRefusal(ctx: EngineCtx, id: string, videoId: string): Promise<number> {
  const spanMs = SAME_REFUSAL_MS * timeScale(ctx)
  const row = await ctx.db.row<{ refusals: number }>(sql`
    update credentials set refused_at = engine_now(), refused_video_id = ${videoId},
      refusals = refusals + case when refused_at > engine_now() - ${spanMs}::float * interval '1 millisecond'
        and refusals > 0 then 0 else 1 end
    where id = ${id} returning refusals`)
  return row?.refusals ?? 0
}

/**
 * Decides about a token whose order was refused with 403: whether its account is suspended. It takes a
 * second refusal, of another video, and proof: the provider's test refuses the token too, or the video
 * that was refused first has been accepted with another token since.
 */
export async function noteForbidden(ctx: EngineCtx, { attempt, evidence }: Refused): Promise<void> {
  const { credential, videoId } = attempt
  if (!credential) return
  await noteWords(ctx.db, credential.id, evidence)
  const before = await ctx.db.row<{ videoId: string | null }>(sql`
    select refused_video_id as "videoId" from credentials where id = ${credential.id} and state <> 'dead'`)
  if (!before) return
  if (before.videoId === videoId) return
  const refusals = await countRefusal(ctx, credential.id, videoId)
  if (refusals < 2 || before.videoId === null) return
  const outcome = await check(ctx, credential)
  const isProven =
    outcome === 'unauthorized' ||
    outcome === 'forbidden' ||
    (await passedElsewhere(ctx.db, before.videoId, credential.id))
  if (isProven) await killToken(ctx, credential.id, { death: 'suspended', evidence })
}

const passedElsewhere = async (db: Executor, videoId: string, keyId: string): Promise<boolean> =>
  (await db.row(sql`
    select 1 from attempts where video_id = ${videoId} and credential_id <> ${keyId}
      and ref is not null limit 1`)) !== undefined

/**
 * Decides about a token with which an order could not be polled or fetched (401). Returns whether
 * another token is asked from now on.
 */
export async function noteUnanswered(
  ctx: EngineCtx,
  token: SealedCredential,
  evidence: Evidence,
): Promise<boolean> {
  const known = await ctx.db.row<{ mayAsk: boolean }>(sql`
    select may_ask as "mayAsk" from credentials where id = ${token.id}`)
  if (!known?.mayAsk || (await check(ctx, token)) !== 'unauthorized') return false
  await killToken(ctx, token.id, { death: 'refused', evidence })
  return (
    (await ctx.db.run(sql`
    update credentials set may_ask = false where id = ${token.id} and may_ask`)) > 0
  )
}

/** Returns whether a token gets answers about its orders. */
export const getsAnswers = async (db: Executor, id: string): Promise<boolean> =>
  (await db.row(sql`select 1 from credentials where id = ${id} and may_ask`)) !== undefined

/** Returns whether some token can ask about an order (see `askingToken`). */
export async function isAnswered(ctx: EngineCtx, { id }: LeasedAttempt): Promise<boolean> {
  const row = await ctx.db.row(sql`
    select 1 from attempts
      cross join lateral (${askingToken(sql`attempts`, sharersOf(ctx))}) as token
    where attempts.id = ${id} and token.may_ask`)
  return row !== undefined
}

/** Keeps the provider's words, redacted by the adapter, as the token's last error. */
export const noteWords = (db: Executor, id: string, { message }: Evidence): Promise<number> =>
  db.run(sql`
    update credentials set last_error = ${message}, last_error_at = engine_now() where id = ${id}`)

/** Marks a token as dead, and records it once however many orders it fails. */
async function killToken(
  ctx: EngineCtx,
  id: string,
  { death, evidence }: { death: Death; evidence: Evidence },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const token = await tx.row<{ name: string; account: string }>(sql`
      update credentials set state = 'dead', failures = failures + 1, death = ${death},
        died_at = engine_now(), last_error = ${evidence.message}, last_error_at = engine_now()
      where id = ${id} and state <> 'dead' returning ${tokenName} as name, account`)
    if (!token) return
    ctx.log.warn({ credentialId: id, death }, 'a token is dead')
    const subject = { kind: 'token', id, name: token.name } as const
    const after = { why: death, answer: evidence.message }
    await logActivity(tx, BY_ITSELF, { action: 'token.death', subject, after })
    if (death === 'refused') {
      const failure = { kind: 'token', scope: token.account, subject: id } as const
      await noteFailure(ctx, tx, { ...failure, seen: evidence.message })
    }
  })
}

type Pause = Refused & { reason: GateReason; retryAfterMs?: number | undefined }

/** Closes the gate of an attempt's account, and records it when the pause begins. */
export async function pauseAccount(ctx: EngineCtx, pause: Pause): Promise<void> {
  const { attempt, reason, evidence, retryAfterMs } = pause
  const { id: attemptId, account: scope } = attempt
  await ctx.db.transaction(async (tx) => {
    const seen = evidence.message
    const closed = await closeGate(ctx, tx, { scope, reason, retryAfterMs, seen, attemptId })
    if (closed?.wasOpen) await recordPause(tx, pause, closed.waitMs)
  })
}

async function recordPause(tx: Tx, { attempt, reason, evidence }: Pause, waitMs: number) {
  const tokens = await tx.rows<{ id: string; name: string }>(sql`
    select id, ${tokenName} as name from credentials where account = ${attempt.account}
    order by last_used_at desc nulls last limit 5`)
  const [token] = tokens
  if (!token) return
  const after = {
    why: causeOf(reason),
    minutes: Math.ceil(waitMs / minutes(1)),
    answer: evidence.message,
  }
  const subject = { kind: 'token', id: token.id, name: token.name } as const
  await logActivity(tx, BY_ITSELF, { action: 'token.pause', subject, after, count: tokens.length })
  if (reason !== 'quota') return
  await tx.run(sql`select write_event('key.spent', ${attempt.credential?.id ?? token.id}::uuid)`)
}
