import { expect, test } from 'vitest'
import { deleteUser } from '../../../app/domain/administration/users/delete-users.server'
import { restoreUser } from '../../../app/domain/administration/users/user-trash.server'
import { attempt } from '../../support/engine/actions'
import { useEngine } from '../../support/engine/shared-engine'
import { until } from '../../support/wait'

const engine = useEngine()

test('an account is not restored beside one that gets its name at the same moment, and why is said', async () => {
  const admin = await engine.admin()
  const { actor } = await engine.user()
  await deleteUser(admin, actor.id)
  const other = await engine.pool.connect()
  await other.query('begin')
  await other.query(
    `insert into users (id, username, phone, plan, video_limit, speed_limit, video_generation_speed)
     values (gen_random_uuid(), $1, $1, 'Starter', 20, 1, 90)`,
    [actor.username],
  )
  const restored = attempt(() => restoreUser(admin, actor.id))
  await until('the restore to wait for the name', async () => {
    const { rowCount } = await engine.pool.query('select 1 from pg_locks where not granted')
    return rowCount !== null && rowCount > 0
  })
  await other.query('commit')
  other.release()
  expect(await restored).toBe('CONFLICT')
  const { rows } = await engine.pool.query<{ isDeleted: boolean }>(
    'select deleted_at is not null as "isDeleted" from users where id = $1',
    [actor.id],
  )
  expect(rows).toEqual([{ isDeleted: true }])
})
