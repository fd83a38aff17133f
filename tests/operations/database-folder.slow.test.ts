import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { clusterFolder } from '../../scripts/lib/postgres-folder.mjs'
import { startCluster } from '../../scripts/lib/postgres.mjs'

// Only for root: for other users the database is a plain folder in DATA_DIR.
const isRoot = process.getuid?.() === 0

let home: string
beforeEach(async () => {
  home = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-folder-'))
})
afterEach(() => fs.rm(home, { recursive: true, force: true }))

const modeOf = async (file: string) => ((await fs.stat(file)).mode & 0o777).toString(8)

describe.runIf(isRoot)('root’s database in a private folder', () => {
  test('its store is readable by all users, whatever the umask', async () => {
    const before = process.umask(0o077)
    try {
      const store = path.join(home, 'store/below')
      await clusterFolder(path.join(home, 'postgres'), store)
      expect([await modeOf(path.dirname(store)), await modeOf(store)]).toEqual(['755', '755'])
    } finally {
      process.umask(before)
    }
  })

  /** Creates a cluster without a server: only the files that the check reads. */
  const makeDatabase = async (wanted: string, store: string) => {
    await fs.mkdir(path.dirname(wanted), { recursive: true })
    const { dir, keep } = await clusterFolder(wanted, store)
    await fs.mkdir(dir)
    await fs.writeFile(path.join(dir, 'PG_VERSION'), '18\n')
    await keep()
    return dir
  }

  test('a folder that was deleted and created again gets a new database, not the earlier one', async () => {
    const store = path.join(home, 'store')
    const wanted = path.join(home, '.data/postgres')
    const first = await makeDatabase(wanted, store)
    expect((await clusterFolder(wanted, store)).dir).toBe(first)
    await fs.rm(path.dirname(wanted), { recursive: true })
    expect(await makeDatabase(wanted, store)).not.toBe(first)
  })

  test('a start that failed before the database was complete leaves no link', async () => {
    const store = path.join(home, 'store')
    const wanted = path.join(home, 'postgres')
    const { dir } = await clusterFolder(wanted, store)
    await expect(fs.readlink(wanted)).rejects.toThrow()
    expect((await clusterFolder(wanted, store)).dir).not.toBe(dir)
  })

  test('a copy of the folder is refused, a moved folder is accepted', async () => {
    const store = path.join(home, 'store')
    const [original, copy] = [path.join(home, 'a'), path.join(home, 'b')]
    const dir = await makeDatabase(path.join(original, 'postgres'), store)
    await fs.cp(original, copy, { recursive: true, verbatimSymlinks: true })
    await expect(clusterFolder(path.join(copy, 'postgres'), store)).rejects.toThrow(
      `${copy} is a copy of ${original} and would use the same database (${dir}). Make a backup there with npm run backup and restore it here`,
    )
    await fs.rm(original, { recursive: true })
    expect((await clusterFolder(path.join(copy, 'postgres'), store)).dir).toBe(dir)

    await fs.rm(dir, { recursive: true })
    await expect(clusterFolder(path.join(copy, 'postgres'), store)).rejects.toThrow(
      `the database of ${copy} lay in ${dir} and is not there.`,
    )
  })
})

test('a database of another major version is refused with instructions', async () => {
  await fs.chmod(home, 0o755)
  const dir = path.join(home, 'postgres')
  await fs.mkdir(dir)
  await fs.writeFile(path.join(dir, 'PG_VERSION'), '16\n')
  await expect(startCluster({ dir, password: 'secret' })).rejects.toThrow(
    /made by PostgreSQL 16, and this version of the product brings \d+\. Make a backup/,
  )
})

test('a database that was killed comes back on its port, whoever starts it', async () => {
  await fs.chmod(home, 0o755)
  const options = { dir: path.join(home, 'postgres'), password: 'secret' }
  // Another test may take the port while it is free, hardly thrice.
  const isBack: boolean[] = []
  while (!isBack.includes(true) && isBack.length < 3) {
    const killed = await startCluster(options)
    await killed.crash()
    const started = await startCluster(options)
    isBack.push(started.port === killed.port)
    await started.stop()
  }
  expect(isBack).toContain(true)
})
