import { expect, test } from 'vitest'
import { INVARIANTS } from '../../app/domain/health/invariants.server'
import { useDatabase } from '../support/use-database'

const database = useDatabase()

test.each([
  ['I11 every completed video is stored', 'videos_completed_without_file_idx'],
  ['I8 at most one orphan per generation', 'attempts_orphaned_idx'],
  ['I8 at most one delivery per generation', 'attempts_done_idx'],
  ['I4 a reserved unit belongs to open work', 'quota_charges_day_idx'],
  ['I13 no order is sent for an ended video', 'attempts_pkey'],
  ['I13 no order is sent for a deleted account', 'attempts_pkey'],
] as const)('%s: uses %s instead of scanning a table every minute', async (name, index) => {
  const { text, values } = INVARIANTS[name]
  // The tables are empty here. The test only shows that an index can be used.
  await database.client.query('set enable_seqscan = off')
  const { rows } = await database.client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(index)
})
