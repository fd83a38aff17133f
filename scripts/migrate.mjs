// `npm run migrate`: the release step, for a database of your own (DATABASE_URL).
import { loadEnvFile } from './lib/env-file.mjs'
import { ensureBuilt } from './lib/state.mjs'

await loadEnvFile()
if (!process.env.DATABASE_URL) {
  process.stderr.write(
    'DATABASE_URL is not set: npm start migrates the embedded database itself.\n',
  )
  process.exit(1)
}
await ensureBuilt()
const { migrate } = await import('./lib/migrate.mjs')
await migrate(process.env)
