import { expect, test } from 'vitest'
import { startSession } from '../../../app/domain/accounts/sessions.server'
import { applyBulkChange } from '../../../app/domain/administration/changes/bulk-change.server'
import { deleteUser } from '../../../app/domain/administration/users/delete-users.server'
import { editUser } from '../../../app/domain/administration/users/edit-user.server'
import { userFilterQuery } from '../../../app/domain/administration/users/list-schemas'
import { undoBulkChange } from '../../../app/domain/administration/changes/undo-bulk-change.server'
import type { UserCtx } from '../../../app/domain/context'
import { attempt } from '../../support/engine/actions'
import { useEngine } from '../../support/engine/shared-engine'

const engine = useEngine()

/** Returns the account as it is when its user has just given the password. */
async function provenOf({ actor, db }: UserCtx) {
  const row = await db.prisma(({ user }) =>
    user.findFirst({ where: { id: actor.id }, select: { id: true, accessVersion: true } }),
  )
  if (!row) throw new Error('no account')
  return row
}

test('a sign-in under way does not outlive that many users were disabled and enabled again', async () => {
  const [admin, user] = [await engine.admin(), await engine.user()]
  const signIn = { account: await provenOf(user), userAgent: null, deviceId: null, presented: null }
  const start = () => user.db.transaction((tx) => startSession(tx, signIn))
  await start()

  const target = {
    scope: 'chosen' as const,
    picked: [user.actor.id],
    filters: userFilterQuery.parse({}),
  }
  const { changeId } = await applyBulkChange(
    admin,
    { action: { kind: 'disable' }, target },
    {
      expected: 1,
      key: undefined,
    },
  )
  await undoBulkChange(admin, changeId)

  const { rows } = await engine.pool.query('select 1 from sessions where user_id = $1', [
    user.actor.id,
  ])
  expect(rows).toEqual([])
  expect(await attempt(start)).toBe('CONFLICT')
})

test('Q-42: the last active administrator keeps role and access, even if disabled administrators exist', async () => {
  const [actor, last, disabled] = [await engine.admin(), await engine.admin(), await engine.admin()]
  // The acting administrator is disabled while their request is under way.
  await engine.pool.query(`update users set is_active = false where role = 'admin' and id <> $1`, [
    last.actor.id,
  ])
  const { id } = last.actor
  const changes: (() => Promise<unknown>)[] = [
    () => editUser(actor, { id, role: 'user' }),
    () => editUser(actor, { id, isActive: false }),
    () => deleteUser(actor, id),
  ]
  for (const change of changes) expect(await attempt(change)).toBe('CONFLICT')
  const rowOf = async () => {
    const { rows } = await engine.pool.query<object>(
      'select role, is_active, deleted_at from users where id = $1',
      [id],
    )
    return rows
  }
  expect(await rowOf()).toEqual([{ role: 'admin', is_active: true, deleted_at: null }])
  await engine.pool.query('update users set is_active = true where id = $1', [disabled.actor.id])
  expect(await attempt(() => editUser(actor, { id, role: 'user' }))).toMatchObject({ role: 'user' })
})
