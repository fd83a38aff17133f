// `npm run migrate`: the release step, for an external database (DATABASE_URL).
import { runCommand } from './lib/command.mjs'
import { StartError } from './lib/data-dir.mjs'
import { loadEnvFile } from './lib/env-file.mjs'
import { checkSettings } from './lib/start-up.mjs'
import { ensureBuilt } from './lib/state.mjs'

await runCommand(async () => {
  await loadEnvFile()
  if (!process.env.DATABASE_URL) {
    throw new StartError(
      'DATABASE_URL is not set: npm start migrates the embedded database itself.',
    )
  }
  await ensureBuilt()
  await checkSettings(process.env)
  const { migrate } = await import('./lib/migrate.mjs')
  await migrate(process.env)
})
