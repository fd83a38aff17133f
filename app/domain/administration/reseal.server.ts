import sql, { type Sql } from 'sql-template-tag'
import { BEFORE_ALL_IDS } from '~/lib/ids'
import { sealedAs } from '../accounts/second-factor-codes.server'
import type { Deps } from '../context'
import { pushSealedAs, webhookSealedAs } from '../notifications/sealed'

/** How many values were re-encrypted with the first key, and how many could not be decrypted. */
export type Resealed = { count: number; unreadable: number }

type Sealed = { id: string; sealed: Buffer }
type Changed = { ids: string[]; before: Buffer[]; after: Buffer[] }
type Place = {
  /** Returns the context string under which a value is encrypted. */
  nameOf: (id: string) => string
  read: (after: string) => Sql
  write: (changed: Changed) => Sql
}

/** Rows per step. Each step is one statement, so that it holds locks only briefly. */
const STEP = 200

/** All encrypted columns, by display name. */
const PLACES = {
  tokens: {
    nameOf: (id) => id,
    read: (after) => sql`
      select id, secret_cipher as sealed from credentials where id > ${after}::uuid
      order by id limit ${STEP}`,
    write: ({ ids, before, after }) => sql`
      update credentials set secret_cipher = changed.after
      from unnest(${ids}::uuid[], ${before}::bytea[], ${after}::bytea[]) as changed(id, before, after)
      where credentials.id = changed.id and secret_cipher = changed.before`,
  },
  'second factors': {
    nameOf: sealedAs,
    read: (after) => sql`
      select user_id as id, secret_cipher as sealed from second_factors where user_id > ${after}::uuid
      order by user_id limit ${STEP}`,
    write: ({ ids, before, after }) => sql`
      update second_factors set secret_cipher = changed.after
      from unnest(${ids}::uuid[], ${before}::bytea[], ${after}::bytea[]) as changed(id, before, after)
      where user_id = changed.id and secret_cipher = changed.before`,
  },
  'webhook secrets': {
    nameOf: webhookSealedAs,
    read: (after) => sql`
      select user_id as id, secret_cipher as sealed from notification_webhooks where user_id > ${after}::uuid
      order by user_id limit ${STEP}`,
    write: ({ ids, before, after }) => sql`
      update notification_webhooks set secret_cipher = changed.after
      from unnest(${ids}::uuid[], ${before}::bytea[], ${after}::bytea[]) as changed(id, before, after)
      where user_id = changed.id and secret_cipher = changed.before`,
  },
  'push keys': {
    nameOf: pushSealedAs,
    read: (after) => sql`
      select id, secret_cipher as sealed from push_keys where id > ${after}::uuid
      order by id limit ${STEP}`,
    write: ({ ids, before, after }) => sql`
      update push_keys set secret_cipher = changed.after
      from unnest(${ids}::uuid[], ${before}::bytea[], ${after}::bytea[]) as changed(id, before, after)
      where push_keys.id = changed.id and secret_cipher = changed.before`,
  },
} as const satisfies Record<string, Place>

export type SealedKind = keyof typeof PLACES
export const SEALED_KINDS: readonly SealedKind[] = [
  'tokens',
  'second factors',
  'webhook secrets',
  'push keys',
]

/**
 * Re-encrypts values with the first key that were encrypted with another one. Works in small steps
 * and changes a value only if it is still the one that was read, so it can run while the product is
 * in use, be interrupted and be repeated.
 */
export async function reseal(
  { db, vault }: Pick<Deps, 'db' | 'vault'>,
  kind: SealedKind,
): Promise<Resealed> {
  const { nameOf, read, write }: Place = PLACES[kind]
  const total: Resealed = { count: 0, unreadable: 0 }
  for (let after = BEFORE_ALL_IDS; ;) {
    const rows = await db.rows<Sealed>(read(after))
    const last = rows.at(-1)
    if (!last) return total
    after = last.id
    const changed: Changed = { ids: [], before: [], after: [] }
    for (const { id, sealed } of rows) {
      const fresh = vault.reseal(nameOf(id), sealed)
      if (fresh === 'unreadable') total.unreadable += 1
      else if (fresh !== null) {
        changed.ids.push(id)
        changed.before.push(sealed)
        changed.after.push(fresh)
      }
    }
    if (changed.ids.length > 0) total.count += await db.run(write(changed))
  }
}
