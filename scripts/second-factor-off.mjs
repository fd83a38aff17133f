// `npm run second-factor-off -- NAME`: switches two-step sign-in off for one account.
import path from 'node:path'
import { StartError } from './lib/data-dir.mjs'
import { loadEnvFile } from './lib/env-file.mjs'
import { root } from './lib/root.mjs'
import { prepareDatabaseOnly } from './lib/start-up.mjs'
import { checkNode, ensureBuilt, ensureInstalled, run } from './lib/state.mjs'

/** @type {(() => Promise<unknown>)[]} */
const undo = []
try {
  checkNode()
  await loadEnvFile()
  await ensureInstalled({ keepsStale: true })
  await ensureBuilt()
  const { env } = await prepareDatabaseOnly(undo)
  const program = path.join(root, 'build/second-factor-off.js')
  await run(process.execPath, [program, ...process.argv.slice(2)], { env, shown: true }).catch(
    () => {
      // The program has said why.
      process.exitCode = 1
    },
  )
} catch (error) {
  console.error(error instanceof StartError ? error.message : error)
  process.exitCode = 1
} finally {
  for (const step of undo.reverse()) await step()
}
