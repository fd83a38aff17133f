// `npm run same-names`: lists accounts that belong to one person; changes none of them.
import path from 'node:path'
import { runCommand } from './lib/command.mjs'
import { loadEnvFile } from './lib/env-file.mjs'
import { root } from './lib/root.mjs'
import { prepareDatabaseOnly } from './lib/start-up.mjs'
import { checkNode, ensureBuilt, ensureInstalled, run } from './lib/state.mjs'

await runCommand(async (undo) => {
  checkNode()
  await loadEnvFile()
  await ensureInstalled({ keepsStale: true })
  await ensureBuilt()
  const { env } = await prepareDatabaseOnly(undo)
  const program = path.join(root, 'build/same-names.js')
  await run(process.execPath, [program], { env, shown: true })
})
