import { runMigrations } from 'graphile-worker'
import path from 'node:path'
import { boot } from '~/boot/deps.server'
import { createFirstAdmin } from '~/domain/accounts/create-first-admin.server'
import { requireEnv } from '~/platform/env.server'

// Runs once per release, after the schema migrations and before web and worker start. Creates the
// queue's own tables and the first administrator.

const env = requireEnv(process.env)
const { deps, queuePool, close } = boot({
  env,
  name: 'prepare',
  buildDir: path.resolve('build'),
  poolSize: 2,
  connectTimeoutMs: 5000,
  statementTimeoutMs: 60_000,
})
await runMigrations({ pgPool: queuePool })
const admin = await createFirstAdmin(deps, {
  username: env.ADMIN_USERNAME,
  password: env.ADMIN_PASSWORD,
})
if (admin) {
  const password = admin.password ?? 'the one in ADMIN_PASSWORD'
  const heading =
    admin.password === null ? 'First administrator' : 'First administrator, shown only now'
  process.stdout.write(
    `\n  ${heading}:\n    username  ${admin.username}\n    password  ${password}\n\n`,
  )
}
await close()
