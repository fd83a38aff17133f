import { execFile } from 'node:child_process'
import os from 'node:os'
import { promisify } from 'node:util'
import { scripts } from '../../package.json'
import { bareEnv, testEnv, type ProcessEnv } from './processes'

/**
 * Runs a script of package.json on a database, as `npm run` does. Resolves with the exit code and
 * the output.
 */
export async function command(
  script: keyof typeof scripts,
  url: string,
  more: ProcessEnv = {},
  ...args: string[]
) {
  const env = { ...bareEnv(), ...testEnv(url, os.tmpdir()), ...more }
  const [, ...words] = scripts[script].split(' ')
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [...words, ...args], {
      env,
    })
    return { code: 0, output: stdout + stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, output: stdout + stderr }
  }
}
