import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { createTestDatabase } from './database'

/** Creates the migrated database that the tests of a file share, with a connection to it. */
export function useDatabase(): { url: string; client: pg.Client } {
  const database = { url: '', client: new pg.Client() }
  let drop: () => Promise<void>
  beforeAll(async () => {
    const made = await createTestDatabase()
    drop = made.drop
    database.url = made.url
    database.client = new pg.Client({ connectionString: made.url })
    await database.client.connect()
  })
  afterAll(async () => {
    await database.client.end()
    await drop()
  })
  return database
}
