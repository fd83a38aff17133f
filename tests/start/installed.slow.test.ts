import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bareEnv } from '../support/processes'

const run = promisify(execFile)

type Packages = Record<string, { version: string; optional?: boolean }>

const LOCKED: Packages = {
  '': { version: '0.1.0' },
  'node_modules/pg': { version: '8.0.0' },
  'node_modules/for-another-platform': { version: '1.0.0', optional: true },
}

let folder: string
beforeEach(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-installed-'))
  for (const name of ['state.mjs', 'root.mjs', 'lock.mjs', 'is-running.mjs']) {
    await fs.mkdir(path.join(folder, 'scripts/lib'), { recursive: true })
    await fs.copyFile(path.join('scripts/lib', name), path.join(folder, 'scripts/lib', name))
  }
  await fs.mkdir(path.join(folder, 'bin'))
  await fs.writeFile(path.join(folder, 'bin/npm'), '#!/bin/sh\necho "$@" > asked\n', {
    mode: 0o755,
  })
  await write('package-lock.json', JSON.stringify({ packages: LOCKED }))
})
afterEach(() => fs.rm(folder, { recursive: true }))

async function write(name: string, text: string): Promise<void> {
  await fs.mkdir(path.dirname(path.join(folder, name)), { recursive: true })
  await fs.writeFile(path.join(folder, name), text)
}

/** Writes npm's own list of what it has installed. */
const installed = (packages: Packages) =>
  write('node_modules/.package-lock.json', JSON.stringify({ packages }))

/** Returns what npm was asked to do, or null if it was not started. */
async function ensureInstalled(): Promise<string | null> {
  const script = `const { ensureInstalled } = await import('./scripts/lib/state.mjs'); await ensureInstalled()`
  const env = { ...bareEnv(), PATH: `${path.join(folder, 'bin')}:${process.env.PATH}` }
  await run(process.execPath, ['--input-type=module', '-e', script], { cwd: folder, env })
  return fs.readFile(path.join(folder, 'asked'), 'utf8').catch(() => null)
}

test('packages that were installed by hand are not installed again', async () => {
  await installed({ 'node_modules/pg': { version: '8.0.0' } })
  expect(await ensureInstalled()).toBeNull()
})

test('a missing package, another version and an interrupted installation are repaired', async () => {
  const asked = 'ci --include=dev --no-audit --no-fund\n'
  expect(await ensureInstalled()).toBe(asked)
  for (const list of [{}, { 'node_modules/pg': { version: '7.0.0' } }]) {
    await fs.rm(path.join(folder, 'asked'))
    await installed(list)
    expect(await ensureInstalled()).toBe(asked)
  }
  await fs.rm(path.join(folder, 'asked'))
  await write('node_modules/.package-lock.json', '{ "packages": {')
  expect(await ensureInstalled()).toBe(asked)
})

test('two commands at once install the packages once', async () => {
  await installed({})
  const list = JSON.stringify({ packages: { 'node_modules/pg': { version: '8.0.0' } } })
  await write(
    'bin/npm',
    `#!/bin/sh\necho "$@" >> asked\necho '${list}' > node_modules/.package-lock.json\n`,
  )
  await Promise.all([ensureInstalled(), ensureInstalled(), ensureInstalled()])
  const asked = await fs.readFile(path.join(folder, 'asked'), 'utf8')
  expect(asked).toBe('ci --include=dev --no-audit --no-fund\n')
  expect(await fs.readdir(folder)).not.toContain('.preparing.pid')
})
