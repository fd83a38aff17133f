import { runMigrations } from 'graphile-worker'
import { createFirstAdmin } from '~/domain/accounts/create-first-admin.server'
import { addFirstPrompts } from '~/domain/prompts/first-prompts.server'
import { runProgram } from './program'

// Runs once per release, after the schema migrations and before web and worker start. Creates the
// queue's own tables, the first administrator, and prompts for a new installation.

await runProgram('prepare', async ({ env, deps, queuePool }) => {
  await runMigrations({ pgPool: queuePool })
  const admin = await createFirstAdmin(deps, {
    username: env.ADMIN_USERNAME,
    password: env.ADMIN_PASSWORD,
  })
  if (admin) {
    await addFirstPrompts(deps)
    const password = admin.password ?? 'the one in ADMIN_PASSWORD'
    const heading =
      admin.password === null ? 'First administrator' : 'First administrator, shown only now'
    process.stdout.write(
      `\n  ${heading}:\n    username  ${admin.username}\n    password  ${password}\n\n`,
    )
  }
})
