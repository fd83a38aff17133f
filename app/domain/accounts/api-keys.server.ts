import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import { isId, newId } from '~/lib/ids'
import { dayIn } from '~/lib/time'
import type { Executor, Tx } from '~/platform/db/port'
import { logAccess } from '../activity/write.server'
import { databaseNow } from '../clock.server'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { isoText } from '../iso-text.server'
import { isApiKey, newApiKey, startOfKey } from './api-key-text.server'
import { accountColumns } from './columns.server'
import { requireOwnPassword } from './confirm-password.server'
import { proveOneself } from './proof.server'
import { LIMITS, mayUseApi } from './rules'
import type { CreateApiKeyInput } from './schemas'
import type { Account } from './types'

/** An API key as its owner and administrators see it. */
export type ApiKeyView = {
  id: string
  name: string
  /** Its first characters. */
  start: string
  createdAt: string
  /** To the hour. Null: never used. */
  lastUsedAt: string | null
  /** Null: it has no end. */
  expiresAt: string | null
  hasEnded: boolean
}

/**
 * A program that makes calls with an API key. Its account has the role `user`, whatever the role of the key's
 * owner: no code gives it the rights of an administrator or a helper.
 */
export type Program = { account: Account; keyId: string }

const hashOf = (key: string) => createHash('sha256').update(key).digest()
const hasEnded = sql`coalesce(api_keys.expires_at <= engine_now(), false)`

/** Lists the API keys of an account, the newest first. */
export const listApiKeys = (db: Executor, userId: string): Promise<ApiKeyView[]> =>
  db.rows<ApiKeyView>(sql`
    select id, name, start, ${isoText(sql`created_at`)} as "createdAt",
      ${isoText(sql`last_used_at`)} as "lastUsedAt", ${isoText(sql`expires_at`)} as "expiresAt",
      ${hasEnded} as "hasEnded"
    from api_keys where user_id = ${userId} order by created_at desc, id`)

/**
 * Makes an API key for the actor and returns it: only its hash is stored. Throws BAD_INPUT for a wrong
 * password or code, a past day or a name that another key has, RATE_LIMITED, FORBIDDEN if the account may not have keys, and
 * CONFLICT if it has as many as it can have.
 */
export async function createApiKey(
  ctx: UserCtx,
  { name, lastDay, ...proof }: CreateApiKeyInput,
): Promise<string> {
  const { db, actor, settings } = ctx
  await proveOneself(ctx, proof)
  const key = newApiKey()
  await db.transaction(async (tx) => {
    // The lock lets one key be made at a time, so that their number is right.
    const account = await tx.row<Account>(sql`
      select ${accountColumns} from users where id = ${actor.id} and deleted_at is null for update`)
    if (!account) throw new AppError('NOT_SIGNED_IN', 'Please sign in')
    if (!mayUseApi(account)) throw notInPlan()
    if (lastDay !== null && lastDay < dayIn(settings.timeZone, await databaseNow(tx)))
      throw refusedField('lastDay', 'This day has passed')
    const keys = await listApiKeys(tx, actor.id)
    if (keys.some((known) => known.name === name))
      throw refusedField('name', 'Another key has this name')
    if (keys.length >= LIMITS.apiKeys)
      throw new AppError(
        'CONFLICT',
        `An account has at most ${LIMITS.apiKeys} keys. End one first.`,
      )
    await tx.run(sql`
      insert into api_keys (id, user_id, name, key_hash, start, created_at, expires_at)
      values (${newId()}, ${actor.id}, ${name}, ${hashOf(key)}, ${startOfKey(key)}, engine_now(),
        (${lastDay}::date + 1)::timestamp at time zone ${settings.timeZone})`)
    await logAccess(tx, { action: 'auth.api-key', user: actor, isUser: true, apiKey: name })
  })
  return key
}

/**
 * Ends an API key of the actor at once, and returns its name. Throws BAD_INPUT for a wrong password,
 * RATE_LIMITED, and NOT_FOUND.
 */
export async function endOwnApiKey(
  ctx: UserCtx,
  { ownPassword, id }: { ownPassword: string; id: string },
): Promise<string> {
  await requireOwnPassword(ctx, { password: ownPassword, field: 'ownPassword' })
  return ctx.db.transaction(async (tx) => {
    const name = await endApiKey(tx, { id, userId: ctx.actor.id })
    await logAccess(tx, {
      action: 'auth.end-api-key',
      user: ctx.actor,
      isUser: true,
      apiKey: name,
    })
    return name
  })
}

/** Ends an API key of a user, and returns its name. Throws NOT_FOUND. */
export async function endApiKey(
  tx: Tx,
  { id, userId }: { id: string; userId: string },
): Promise<string> {
  const ended = isId(id)
    ? await tx.row<{ name: string }>(sql`
        delete from api_keys where id = ${id} and user_id = ${userId} returning name`)
    : undefined
  if (!ended) throw new AppError('NOT_FOUND', 'This key has already been ended')
  return ended.name
}

/** Ends all API keys of users who are being deleted. */
export async function endApiKeysOf(tx: Tx, userIds: readonly string[]): Promise<void> {
  await tx.run(sql`delete from api_keys where user_id = any(${userIds}::uuid[])`)
}

/**
 * Returns the program whose key this is, and notes the use, at most once an hour. Throws NOT_SIGNED_IN
 * as for a session that has ended: for an unknown or ended key, and if the account was disabled or deleted. Throws
 * FORBIDDEN if its plan does not include API keys any more.
 */
export async function findProgram(db: Executor, key: string): Promise<Program> {
  // A mistyped key costs no query.
  const row = isApiKey(key) ? await readKey(db, key) : undefined
  if (!row) throw new AppError('NOT_SIGNED_IN', 'This API key is not valid')
  const { keyId, isOver, isNoted, ...account } = row
  if (isOver) throw new AppError('NOT_SIGNED_IN', 'This API key has ended')
  if (!mayUseApi(account)) throw notInPlan()
  if (!isNoted)
    await db.run(
      sql`update api_keys set last_used_at = engine_now() where id = ${keyId} and ${isStale}`,
    )
  return { account: { ...account, role: 'user' }, keyId }
}

const isStale = sql`coalesce(api_keys.last_used_at < engine_now() - interval '1 hour', true)`

const readKey = (db: Executor, key: string) =>
  db.row<Account & { keyId: string; isOver: boolean; isNoted: boolean }>(sql`
    select ${accountColumns}, api_keys.id as "keyId", ${hasEnded} as "isOver",
      not ${isStale} as "isNoted"
    from api_keys join users on users.id = api_keys.user_id
    where key_hash = ${hashOf(key)} and users.is_active and users.deleted_at is null`)

const notInPlan = () =>
  new AppError('FORBIDDEN', 'The plan of this account does not include API keys')

const refusedField = (field: string, problem: string) =>
  new AppError('BAD_INPUT', problem, { fields: { [field]: [problem] } })
