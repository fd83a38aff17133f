// `npm run migrate`: the release step, for an external database (DATABASE_URL).
import { StartError } from './lib/data-dir.mjs'
import { loadEnvFile } from './lib/env-file.mjs'
import { ensureBuilt } from './lib/state.mjs'

try {
  await loadEnvFile()
  if (!process.env.DATABASE_URL) {
    throw new StartError(
      'DATABASE_URL is not set: npm start migrates the embedded database itself.',
    )
  }
  await ensureBuilt()
  const { checkSettings } = await import('./lib/start-up.mjs')
  await checkSettings(process.env)
  const { migrate } = await import('./lib/migrate.mjs')
  await migrate(process.env)
} catch (error) {
  console.error(error instanceof StartError ? error.message : error)
  process.exitCode = 1
}
