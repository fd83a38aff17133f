import sql from 'sql-template-tag'
import type { Executor } from '~/platform/db/port'
import type { PushKeys } from '~/platform/push/port'
import type { Deps } from '../context'
import { PUSH_KEY_ID, pushSealedAs } from './sealed'

/**
 * Returns the pair of keys of this installation, and makes it the first time. It is made once, whoever asks at the
 * same time, and is the same for ever: browsers take messages of the pair only that they were given.
 */
export async function getPushKeys({
  db,
  vault,
  pushes,
}: Pick<Deps, 'vault' | 'pushes'> & { db: Executor }): Promise<PushKeys> {
  const find = () =>
    db.row<{ publicKey: string; secretCipher: Buffer }>(sql`
      select public_key as "publicKey", secret_cipher as "secretCipher" from push_keys
      where id = ${PUSH_KEY_ID}`)
  let row = await find()
  if (!row) {
    const { publicKey, privateKey } = pushes.newKeys()
    await db.run(sql`
      insert into push_keys (id, public_key, secret_cipher, created_at)
      values (${PUSH_KEY_ID}, ${publicKey}, ${vault.seal(pushSealedAs(), privateKey)}, engine_now())
      on conflict (id) do nothing`)
    row = await find()
  }
  if (!row) throw new Error('the keys of Web Push are gone')
  return { publicKey: row.publicKey, privateKey: vault.open(pushSealedAs(), row.secretCipher) }
}
