// `npm run grants -- USER`: grants a database user the privileges that web and worker need, and no
// more. Run it as the owner of the tables (DATABASE_URL), after each `npm run migrate`.
import pg from 'pg'
import { StartError } from './lib/data-dir.mjs'
import { loadEnvFile } from './lib/env-file.mjs'
import { grantRights } from './lib/grants.mjs'

async function main() {
  await loadEnvFile()
  const [user] = process.argv.slice(2)
  if (!user) throw new StartError('Name the database user: npm run grants -- reelmill_app')
  if (!process.env.DATABASE_URL) throw new StartError('DATABASE_URL is not set.')
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
  try {
    await client.connect()
    await grantRights(client, user)
  } finally {
    await client.end()
  }
  console.log(`${user} may now do what web and worker need.`)
}

try {
  await main()
} catch (error) {
  const why = error instanceof Error ? error.message : String(error)
  console.error(error instanceof StartError ? why : `The database refused: ${why}`)
  process.exitCode = 1
}
