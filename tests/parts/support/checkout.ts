import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import { promisify } from 'node:util'
import { bareEnv } from '../../support/processes'

const run = promisify(execFile)

/** Copies the product as of a commit into a folder. */
export async function copyProduct(target: string, commit: string): Promise<void> {
  await fs.mkdir(target, { recursive: true })
  await run('sh', ['-c', 'git archive "$COMMIT" | tar -xf - -C "$TARGET"'], {
    env: { ...bareEnv(), TARGET: target, COMMIT: commit },
  })
}

/** Returns whether this repository has a commit; a shallow clone may not. */
export const hasCommit = (commit: string): Promise<boolean> =>
  run('git', ['cat-file', '-e', `${commit}^{commit}`]).then(
    () => true,
    () => false,
  )

/**
 * Installs the locked packages in a copy and builds it, as its own `npm start` does. Keeps what is
 * already there.
 */
export async function installAndBuild(folder: string): Promise<void> {
  const steps = `const state = await import('./scripts/lib/state.mjs')
    await state.ensureInstalled()
    await state.ensureBuilt()`
  const args = ['--input-type=module', '-e', steps]
  await run(process.execPath, args, { cwd: folder, env: bareEnv() })
}
