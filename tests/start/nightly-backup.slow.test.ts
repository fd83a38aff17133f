import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createReadBackups } from '~/platform/backups/folder.server'
import { backupName, lastDue } from '../../scripts/lib/nightly-backup.mjs'
import { freePort } from '../../scripts/lib/postgres.mjs'
import { launch } from './launch'
import { until } from '../support/wait'

const run = promisify(execFile)

test('a backup is due at its time of day', () => {
  const at = (text: string) => new Date(`2026-11-23T${text}:00`)
  expect(lastDue(at('03:00'), '03:00')).toEqual(at('03:00'))
  expect(lastDue(at('23:59'), '03:00')).toEqual(at('03:00'))
  expect(lastDue(at('02:59'), '03:00')).toEqual(new Date('2026-11-22T03:00:00'))
})

test('npm start makes the backup that is due, and removes the oldest; other files and recent leftovers stay', async () => {
  const home = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-nightly-'))
  await fs.chmod(home, 0o755)
  const [dataDir, folder] = [path.join(home, 'data'), path.join(home, 'backups')]
  await fs.mkdir(folder)
  const old = ['01', '02', '03'].map((day) => backupName(new Date(`2026-11-${day}T03:00:00Z`)))
  const rests = [`${old[0]}.part`, `${backupName(new Date())}.part`]
  for (const name of [...old, ...rests, 'notes.txt'])
    await fs.writeFile(path.join(folder, name), '')
  const env = { DATA_DIR: dataDir, BACKUP_DIR: folder, BACKUP_KEEP: '2' }
  const started = launch({ ...env, PORT: String(await freePort()) })
  try {
    await until('the backup', () => started.output().includes('read back and whole'))
    const outdated = [old[0], old[1], rests[0]]
    await until('what is outdated to be removed', async () => {
      const names = await fs.readdir(folder)
      return !outdated.some((name) => names.includes(name!))
    })
    const names = (await fs.readdir(folder)).filter((name) => name !== old[2])
    const made = names.filter((name) => name.endsWith('.tar'))
    expect(made).toHaveLength(1)
    expect(names).toHaveLength(3)
    expect(names).toEqual(expect.arrayContaining([rests[1], 'notes.txt']))
    const { stdout } = await run('tar', ['-tf', path.join(folder, made[0]!)])
    expect(stdout).toContain('secrets.json')
    const { size } = await fs.stat(path.join(folder, made[0]!))
    expect(await createReadBackups(folder, false)?.()).toMatchObject({
      newest: { bytes: size },
      problem: null,
    })
  } finally {
    started.child.kill('SIGINT')
    expect(await started.ended).toBe(0)
    await fs.rm(home, { recursive: true, force: true })
  }
})

/** Returns what a command that fails wrote to standard error, or '' if it did not fail. */
const printedBy = (command: Promise<unknown>) =>
  command.then(
    () => '',
    (error: unknown) => (error instanceof Error && 'stderr' in error ? String(error.stderr) : ''),
  )

test('a backup that fails leaves its reason beside the others', async () => {
  const home = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-nightly-'))
  try {
    const folder = path.join(home, 'backups')
    const secrets = { SESSION_SECRET: 's'.repeat(48), ENCRYPTION_KEY: 'y'.repeat(32) }
    const env = {
      ...process.env,
      DATA_DIR: home,
      DATABASE_URL: 'postgres://x@localhost:1/x',
      ...secrets,
    }
    const args = ['scripts/backup.mjs', '--into', folder]
    const printed = await printedBy(run(process.execPath, args, { env }))
    expect(printed).toMatch(/^The database cannot be used: .*ECONNREFUSED.*\n$/)
    const state = await createReadBackups(folder, false)?.()
    expect(state?.newest).toBeNull()
    expect(state?.problem).toMatch(/ECONNREFUSED/)
  } finally {
    await fs.rm(home, { recursive: true, force: true })
  }
})

test.each([
  [['--keep', '3']],
  [['--into', '/x', '--keep', '0']],
  [['--into', '/x', 'file.tar']],
  [['--onto', '/x']],
  [[]],
])('npm run backup -- %j is refused in words', async (args) => {
  const printed = await printedBy(run(process.execPath, ['scripts/backup.mjs', ...args]))
  expect(printed).toMatch(/^(Name the file|--keep is|Unknown option).*\n$/)
})
