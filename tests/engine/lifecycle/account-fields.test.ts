import { expect, test } from 'vitest'
import {
  ACCOUNT_COLUMNS,
  EXPORT_COLUMNS,
  FIELD_NAMES,
  fieldsOf,
  type AccountFields,
} from '../../../app/domain/administration/account-fields'
import { undoBulkChange } from '../../../app/domain/administration/changes/undo-bulk-change.server'
import { parseImport } from '../../../app/domain/administration/imports/import-table.server'
import { importUsers } from '../../../app/domain/administration/imports/import-users.server'
import { ALL_SEEN } from '../../../app/domain/administration/ticks'
import { createUser } from '../../../app/domain/administration/users/create-user.server'
import { editUser } from '../../../app/domain/administration/users/edit-user.server'
import { exportUsers } from '../../../app/domain/administration/users/export-users.server'
import { userFilterQuery } from '../../../app/domain/administration/users/list-schemas'
import { getManagedUser } from '../../../app/domain/administration/users/users-query.server'
import { createUserInput } from '../../../app/domain/administration/schemas'
import { useEngine } from '../../support/engine/shared-engine'

const engine = useEngine()

/** A value of each field that a new account does not have. */
const OTHERS: AccountFields = {
  role: 'editor',
  plan: 'Business',
  videoLimit: 77,
  speedLimit: 7,
  videoGenerationSpeed: 17,
  isActive: false,
}

test('A-IMPORT-3: every field is edited, logged, exported, imported back, and restored by undo', async () => {
  const admin = await engine.admin()
  const input = createUserInput.parse({ phone: '03229440001', password: 'secret-1' })
  const { user } = await createUser(admin, input)
  const { id, username } = user
  const old = fieldsOf(user)
  for (const name of FIELD_NAMES) expect(OTHERS[name], name).not.toEqual(old[name])
  const fields = async () => fieldsOf(await getManagedUser(admin, admin.db, id))
  const exported = async () => {
    const query = userFilterQuery.parse({ search: username })
    const lines = (await exportUsers(admin, { query, tokens: 'masked' })) ?? []
    let file = ''
    for await (const part of lines) file += part
    return file
  }
  const oldFile = await exported()

  await editUser(admin, { ...OTHERS, id, plan: 'Business', password: undefined })
  expect(await fields()).toEqual(OTHERS)
  const { rows } = await engine.pool.query(
    `select before, after from trail_entries where action = 'user.edit' and subject_name = $1`,
    [username],
  )
  expect(rows).toMatchObject([{ before: old, after: OTHERS }])
  const file = await exported()
  const [heading, line] = file.split('\n').map((one) => one.split('|'))
  expect(heading).toEqual(EXPORT_COLUMNS)
  for (const name of FIELD_NAMES)
    expect(line?.[EXPORT_COLUMNS.indexOf(name)], name).toBe(String(OTHERS[name]))

  await editUser(admin, { ...old, id, plan: 'Starter', password: undefined })
  expect(await fields()).toEqual(old)
  const entries = (await parseImport(file)).lines.flatMap((one) =>
    'entry' in one ? [one.entry] : [],
  )
  const done = await importUsers(admin, entries, { changesRoles: true, ticks: ALL_SEEN })
  expect(done.results).toMatchObject([{ success: true, change: 'update' }])
  for (const name of FIELD_NAMES)
    expect(done.results[0]?.changes?.join()).toContain(`${ACCOUNT_COLUMNS[name].label}: `)
  expect(await fields()).toEqual(OTHERS)
  expect(await exported()).toBe(file)

  await undoBulkChange(admin, done.changeId ?? '', { ticks: ALL_SEEN })
  expect(await fields()).toEqual(old)
  expect(await exported()).toBe(oldFile)
})
