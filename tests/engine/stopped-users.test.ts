import { expect, test } from 'vitest'
import { startSession } from '../../app/domain/accounts/sessions.server'
import { applyBulkChange } from '../../app/domain/administration/bulk-change.server'
import { userFilterQuery } from '../../app/domain/administration/list-schemas'
import { undoBulkChange } from '../../app/domain/administration/undo-bulk-change.server'
import type { UserCtx } from '../../app/domain/context'
import { attempt } from '../support/engine/acts'
import { useEngine } from '../support/engine/shared-engine'

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
  const signIn = { account: await provenOf(user), userAgent: null, presented: null }
  await startSession(user.db, signIn)

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
  expect(await attempt(() => startSession(user.db, signIn))).toBe('CONFLICT')
})
