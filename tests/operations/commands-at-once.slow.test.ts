import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { bareEnv } from '../support/processes'

const run = promisify(execFile)

test('commands on a stopped installation run one after the other, and the last one leaves no database running', async () => {
  const home = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-commands-'))
  onTestFinished(() => fs.rm(home, { recursive: true, force: true }))
  // PostgreSQL does not run as root: its user has to enter the folder.
  await fs.chmod(home, 0o755)
  const env = { ...bareEnv(), DATA_DIR: path.join(home, 'data') }
  const command = (script: string, ...args: string[]) =>
    run(process.execPath, [`scripts/${script}.mjs`, ...args], { env })
  await command('program', 'same-names')
  const files = ['one.tar', 'two.tar', 'three.tar'].map((name) => path.join(home, name))
  const printed = await Promise.all(files.map((file) => command('backup', file)))
  for (const [i, { stdout }] of printed.entries()) expect(stdout).toContain(`${files[i]}: `)
  const left = await fs.readdir(env.DATA_DIR)
  expect(left.filter((name) => name.endsWith('.pid'))).toEqual([])
  const cluster = await fs.readdir(path.join(env.DATA_DIR, 'postgres'))
  expect(cluster).not.toContain('postmaster.pid')
})
