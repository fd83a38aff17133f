import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../scripts/lib/root.mjs'
import type { Mutant } from './list'
import { withMutants } from './schemata'

/** What is made from the sources, or belongs to one machine. */
const NOT_COPIED = new Set(
  [
    'node_modules',
    'build',
    'build-next',
    'public/build',
    '.data',
    '.git',
    'backups',
    'test-results',
  ].map((name) => path.join(root, name)),
)
/** What a build writes into node_modules. The copy has its own. */
const OWN = new Set(['.cache', '.reelmill', '.vite', '.vitest'])

/** Copies the checkout, writes all mutants into the copy and builds it. */
export async function makeCopy(mutants: readonly Mutant[]) {
  const copy = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-mutants-'))
  const remove = () => fs.rm(copy, { recursive: true, force: true, maxRetries: 10 })
  try {
    const filter = (from: string) => !NOT_COPIED.has(from) && !from.endsWith('.log')
    await fs.cp(root, copy, { recursive: true, filter })
    await linkPackages(copy)
    for (const file of new Set(mutants.map((mutant) => mutant.file))) {
      const place = path.join(copy, file)
      const changes = mutants.filter((mutant) => mutant.file === file)
      await fs.writeFile(place, withMutants(file, await fs.readFile(place, 'utf8'), changes))
    }
    await promisify(execFile)(process.execPath, ['scripts/build.mjs'], { cwd: copy })
  } catch (error) {
    await remove()
    throw error
  }
  return { root: copy, remove }
}

async function linkPackages(copy: string): Promise<void> {
  const from = path.join(root, 'node_modules')
  const to = path.join(copy, 'node_modules')
  await fs.mkdir(path.join(to, '.reelmill'), { recursive: true })
  for (const name of await fs.readdir(from)) {
    if (!OWN.has(name)) await fs.symlink(path.join(from, name), path.join(to, name))
  }
  // The generated database client is linked, too.
  const mark = '.reelmill/generated'
  await fs.copyFile(path.join(from, mark), path.join(to, mark))
}
