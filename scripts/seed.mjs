// `npm run seed`: demo data for the installation of this folder (or DATABASE_URL), running or not.
import path from 'node:path'
import { runCommand } from './lib/command.mjs'
import { loadEnvFile } from './lib/env-file.mjs'
import { root } from './lib/root.mjs'
import { prepareDatabaseOnly } from './lib/start-up.mjs'
import { checkNode, ensureBuilt, ensureInstalled, run } from './lib/state.mjs'

await runCommand(async (undo) => {
  checkNode()
  await loadEnvFile()
  await ensureInstalled()
  await ensureBuilt()
  const { env } = await prepareDatabaseOnly(undo)
  const program = path.join(root, 'build/seed.js')
  await run(process.execPath, [program, ...process.argv.slice(2)], { env, shown: true })
})
