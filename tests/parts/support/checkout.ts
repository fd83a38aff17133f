import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { bareEnv } from '../../support/processes'

const run = promisify(execFile)

/** Copies the product into a folder: as of a commit, or the working tree. */
export async function copyProduct(target: string, commit?: string): Promise<void> {
  await fs.mkdir(target, { recursive: true })
  const pack = commit
    ? 'git archive "$COMMIT"'
    : 'git ls-files -z --cached --others --exclude-standard | tar --null --ignore-failed-read -cf - -T -'
  await run('sh', ['-c', `${pack} | tar -xf - -C "$TARGET"`], {
    env: { ...bareEnv(), TARGET: target, COMMIT: commit },
  })
}

/** Returns whether this repository has a commit; a shallow clone may not. */
export const hasCommit = (commit: string): Promise<boolean> =>
  run('git', ['cat-file', '-e', `${commit}^{commit}`]).then(
    () => true,
    () => false,
  )

/** Returns an environment in which `node` is this program, for npm as well. */
export const envOf = (node: string): NodeJS.ProcessEnv => ({
  ...bareEnv(),
  PATH: `${path.dirname(node)}:${process.env.PATH}`,
})

/**
 * Installs the locked packages in a copy and builds it with a Node, as its own `npm start` does.
 * Keeps what is already there.
 */
export async function installAndBuild(folder: string, node = process.execPath): Promise<void> {
  const steps = `const state = await import('./scripts/lib/state.mjs')
    await state.ensureInstalled()
    await state.ensureBuilt()`
  const args = ['--input-type=module', '-e', steps]
  await run(node, args, { cwd: folder, env: envOf(node) })
}

/**
 * Links the packages of this checkout into a copy, without the records of what was installed and
 * built.
 */
export async function lendPackages(folder: string): Promise<void> {
  const packages = path.resolve('node_modules')
  await fs.mkdir(path.join(folder, 'node_modules'), { recursive: true })
  for (const name of await fs.readdir(packages)) {
    if (name.startsWith('.') && name !== '.prisma') continue
    await fs.symlink(path.join(packages, name), path.join(folder, 'node_modules', name))
  }
}

/** Runs the build of a copy, even if its sources have not changed. */
export const buildCopy = (folder: string) =>
  run(process.execPath, ['scripts/build.mjs'], { cwd: folder, env: bareEnv() })
