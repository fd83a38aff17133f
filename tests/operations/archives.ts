import { execFile } from 'node:child_process'
import { asOwner } from '../support/cluster'
import { createTestDatabase } from '../support/database'
import { bareEnv, type ProcessEnv } from '../support/processes'

/** Runs a command as an operator does. Resolves with the exit code and the output. */
export function command(name: 'backup' | 'restore', args: string | string[], env: ProcessEnv) {
  return new Promise<{ code: number; output: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [`scripts/${name}.mjs`, ...[args].flat()],
      { env: { ...bareEnv(), ...env } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    )
  })
}

/** Creates an empty database, as an operator does. */
export async function emptyDatabase() {
  const made = await createTestDatabase()
  await asOwner(made.url, (client) =>
    client.query(
      'drop schema public cascade; drop schema graphile_worker cascade; create schema public',
    ),
  )
  return made
}
