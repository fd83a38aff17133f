import { execFile } from 'node:child_process'
import os from 'node:os'
import { promisify } from 'node:util'
import { bareEnv, testEnv, type ProcessEnv } from './processes'

/**
 * Runs a script of `npm run` on a database, as an operator does. Resolves with the exit code and the
 * output.
 */
export async function command(
  script: string,
  url: string,
  more: ProcessEnv = {},
  ...args: string[]
) {
  const env = { ...bareEnv(), ...testEnv(url, os.tmpdir()), ...more }
  try {
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [`scripts/${script}.mjs`, ...args],
      { env },
    )
    return { code: 0, output: stdout + stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, output: stdout + stderr }
  }
}
