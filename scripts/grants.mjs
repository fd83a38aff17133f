// `npm run grants -- USER`: grants a database user the privileges that web and worker need, and no
// more. Run it as the owner of the tables (DATABASE_URL), after each `npm run migrate`.
import path from 'node:path'
import { runCommand } from './lib/command.mjs'
import { StartError } from './lib/data-dir.mjs'
import { loadEnvFile } from './lib/env-file.mjs'
import { refusalOf } from './lib/reason.mjs'
import { root } from './lib/root.mjs'
import { checkNode, ensureBuilt, ensureInstalled } from './lib/state.mjs'

async function main() {
  checkNode()
  await loadEnvFile()
  const [user] = process.argv.slice(2)
  if (!user) throw new StartError('Name the database user: npm run grants -- reelmill_app')
  const { DATABASE_URL: url } = process.env
  if (!url) throw new StartError('DATABASE_URL is not set.')
  await ensureInstalled({ keepsStale: true })
  await ensureBuilt()
  const { settingsProblem } = await import(path.join(root, 'build/settings.js'))
  const problem = await settingsProblem(url)
  if (problem) throw new StartError(problem)
  await grant(url, user)
  console.log(`${user} may now do what web and worker need.`)
}

/** @param {string} url @param {string} user */
async function grant(url, user) {
  const [{ default: pg }, { grantRights }] = await Promise.all([
    import('pg'),
    import('./lib/grants.mjs'),
  ])
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    await grantRights(client, user)
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(refusalOf(error))
  } finally {
    await client.end()
  }
}

await runCommand(main)
