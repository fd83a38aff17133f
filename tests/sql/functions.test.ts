import { expect, test } from 'vitest'
import { compareFunctions } from '../../scripts/lib/database-functions.mjs'
import { useDatabase } from '../support/use-database'

// prisma/functions is where the database's functions are read and edited; migrations carry them into
// the database.

const database = useDatabase()

test('the migrations create the functions of prisma/functions, and no others', async () => {
  expect(await compareFunctions(database.client)).toEqual({ changed: [], unlisted: [] })
})

test('a function that was changed, removed or added in the database is reported', async () => {
  const { client } = database
  await client.query(`create or replace function someone_is_next() returns boolean language sql
    as 'select true'`)
  await client.query('drop function tally_in_batch')
  await client.query(`create function spare() returns int language sql as 'select 1'`)
  const { changed, unlisted } = await compareFunctions(client)
  expect(changed.map(({ name }) => name)).toEqual(['tally_in_batch', 'someone_is_next'])
  expect(unlisted).toEqual(['spare'])
})
