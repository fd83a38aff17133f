import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createReadBackups } from '~/platform/backups/folder.server'
import { startSimulator, type Simulator } from '../simulator/simulator'
import { startBucket } from '../support/bucket'
import { asOwner } from '../support/cluster'
import { Client } from '../support/client'
import { createTestDatabase } from '../support/database'
import { startInstallation, type Installation } from '../support/installation'
import { findViolations } from '../support/invariants'
import { startWeb, startWorker, testEnv, type ProcessEnv } from '../support/processes'
import { until } from '../support/wait'
import { launch } from '../start/launch'
import { command, emptyDatabase } from './archives'

let home: string
let sim: Simulator
beforeEach(async () => {
  home = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-backup-'))
  await fs.chmod(home, 0o755)
  sim = await startSimulator({ scenario: { defaults: { generationMs: 2_000 } } })
})
afterEach(async () => {
  await sim.stop()
  await fs.rm(home, { recursive: true, force: true })
})

test('a folder that cannot be created is named, without a stack', async () => {
  const file = path.join(home, 'a-file')
  await fs.writeFile(file, '')
  const folder = path.join(file, 'nightly')
  expect(await command('backup', ['--into', folder], {})).toEqual({
    code: 1,
    output: `ENOTDIR: not a directory, mkdir '${folder}'\n`,
  })
})

test('Ctrl-C leaves no drafts, also with a database that goes on running', async () => {
  const { url } = await createTestDatabase()
  const locker = new pg.Client({ connectionString: url })
  await locker.connect()
  try {
    await locker.query('begin; lock table videos')
    const folder = path.join(home, 'backups')
    await fs.mkdir(folder)
    const program = [process.execPath, 'scripts/backup.mjs', path.join(folder, 'one.tar')]
    const backup = launch(testEnv(url, path.join(home, 'data')), program)
    await until('the backup to read its tables', async () =>
      (await fs.readdir(folder)).some((name) => name.includes('.tables-')),
    )
    backup.child.kill('SIGINT')
    expect(await backup.ended).toBe(130)
    expect(await fs.readdir(folder)).toEqual([])
  } finally {
    await locker.end()
  }
})

type Videos = { videos: { id: string; status: string }[]; pagination: { totalCount: number } }

const PROMPTS = Array.from({ length: 100 }, (_, i) => `A lantern on hill ${i + 1}`)

/** Starts a batch and waits until some of its videos are delivered and some are not. */
async function inMidBatch(product: Installation) {
  const user = await product.user({
    plan: 'Enterprise',
    video_limit: 100,
    speed_limit: 20,
    video_generation_speed: 3,
  })
  const { status } = await user.post('/api/videos/bulk-generate', { prompts: PROMPTS })
  expect(status).toBe(201)
  await until('a part of the batch', async () => {
    const { rows } = await product.db.query<{ done: number; moving: number }>(
      `select (select count(*)::int from videos where status = 'completed') as done,
        (select count(*)::int from attempts where state in ('submitted', 'fetching')) as moving`,
    )
    return rows[0]!.done > 3 && rows[0]!.moving > 0
  })
  return user
}

/**
 * Checks that the restored installation delivers the whole batch, and that its files are the stored
 * ones.
 */
async function everythingArrives(env: ProcessEnv, username: string) {
  const [web, worker] = [await startWeb(env), await startWorker(env)]
  const db = new pg.Pool({ connectionString: env.DATABASE_URL! })
  db.on('error', () => undefined)
  try {
    const client = new Client(web.url)
    expect((await client.post('/api/auth/login', { username, password: 'secret-1' })).status).toBe(
      200,
    )
    const { videos } = await until('every video', async () => {
      const { body } = await client.get<Videos>('/api/videos?limit=100')
      return body.videos.every(({ status }) => status === 'completed') && body
    })
    expect(videos).toHaveLength(PROMPTS.length)
    for (const { id } of videos) {
      const media = await client.send('GET', `/media/${id}.mp4`)
      const sha256 = createHash('sha256')
        .update(Buffer.from(await media.arrayBuffer()))
        .digest('hex')
      const { rows } = await db.query('select file_sha256 from videos where id = $1', [id])
      expect(rows).toEqual([{ file_sha256: sha256 }])
      const poster = await client.send('GET', `/media/${id}.small.webp`)
      expect(poster.headers.get('content-type')).toBe('image/webp')
    }
    expect(await findViolations(db)).toEqual({})
  } finally {
    await Promise.all([web.stop(), worker.stop()])
    await db.end()
  }
}

describe('a backup in the middle of a batch, after which all processes are killed', () => {
  test('restored elsewhere, from files into a bucket: every video is delivered, none is ordered twice', async () => {
    const product = await startInstallation({ worker: true, env: sim.env('openai') })
    const user = await inMidBatch(product)
    // Killed first, so that no order is made that the backup does not include.
    await Promise.all([product.web.kill(), product.worker!.kill()])
    const file = path.join(home, 'reelmill.tar')
    const saved = await command('backup', file, product.env)
    expect(saved).toEqual({
      code: 0,
      output: expect.stringMatching(
        /: 1 users, 100 videos and their files as of .* read back and whole\./,
      ) as string,
    })
    expect(((await fs.stat(file)).mode & 0o777).toString(8)).toBe('600')
    await product.remove()

    const bucket = await startBucket()
    const database = await emptyDatabase()
    const dataDir = path.join(home, '.data')
    const env = { ...testEnv(database.url, dataDir), ...sim.env('openai'), ...bucket.env }
    expect(await command('restore', file, env)).toMatchObject({ code: 0 })
    await everythingArrives(env, user.username)
    expect(sim.accepted()).toHaveLength(PROMPTS.length)
    await bucket.stop()
    await database.drop()
  })

  test('taken during generation, it is consistent: the remaining videos are delivered, and nothing is counted twice', async () => {
    const product = await startInstallation({ worker: true, env: sim.env('openai') })
    const user = await inMidBatch(product)
    const file = path.join(home, 'reelmill.tar')
    expect(await command('backup', file, product.env)).toMatchObject({ code: 0 })
    await Promise.all([product.web.kill(), product.worker!.kill()])
    await product.remove()

    const database = await emptyDatabase()
    const env = { ...testEnv(database.url, path.join(home, '.data')), ...sim.env('openai') }
    expect(await command('restore', file, env)).toMatchObject({ code: 0 })
    await everythingArrives(env, user.username)
    await database.drop()
  })
})

describe('a backup', () => {
  let product: Installation
  let file: string
  /** Creates a new database and folder, with the secrets of the backup. */
  const emptyPlace = async (name: string) => {
    const database = await emptyDatabase()
    return { database, env: testEnv(database.url, path.join(home, name)) }
  }
  beforeEach(async () => {
    product = await startInstallation({ worker: true, env: sim.env('openai') })
    file = path.join(home, 'reelmill.tar')
  })
  afterEach(() => product.remove())

  const delivered = async () => {
    const user = await product.user()
    const { body } = await user.post<{ id: string }>('/api/videos/generate', { prompt: 'A pond' })
    await until('the video', async () => {
      const response = await user.get<{ status: string }>(`/api/videos/${body.id}/status`)
      return response.body.status === 'completed'
    })
    return { user, id: body.id }
  }

  test('moves from an external database into the embedded one, and back', async () => {
    const { user, id } = await delivered()
    expect(await command('backup', file, product.env)).toMatchObject({ code: 0 })
    const { DATABASE_URL: _, SESSION_SECRET, ENCRYPTION_KEY, ...rest } = product.env
    const dataDir = path.join(home, 'embedded')
    const embedded = { ...rest, DATA_DIR: dataDir }
    expect(await command('restore', file, embedded)).toMatchObject({ code: 0 })
    expect(JSON.parse(await fs.readFile(path.join(dataDir, 'secrets.json'), 'utf8'))).toMatchObject(
      {
        SESSION_SECRET,
        ENCRYPTION_KEY,
      },
    )

    const again = path.join(home, 'again.tar')
    expect(await command('backup', again, embedded)).toMatchObject({ code: 0 })
    const { database, env } = await emptyPlace('outside')
    expect(await command('restore', again, env)).toMatchObject({ code: 0 })
    const web = await startWeb(env)
    // The session is older than the backup: sessions and the secret of their cookies are restored.
    const media = await fetch(`${web.url}/media/${id}.mp4`, {
      headers: { cookie: user.cookieHeader },
    })
    expect(media.status).toBe(200)
    await web.stop()
    // The next start finds the embedded database in place, and stopped.
    await expect(fs.stat(path.join(dataDir, 'postgres/postmaster.pid'))).rejects.toThrow()
    await database.drop()
  })

  test('is refused over existing users, over an existing file, or with another ENCRYPTION_KEY', async () => {
    await delivered()
    expect(await command('backup', file, product.env)).toMatchObject({ code: 0 })
    expect(await command('restore', file, product.env)).toEqual({
      code: 1,
      output:
        'There are users in the database of DATABASE_URL already. A backup is restored into an empty place: name another DATABASE_URL or DATA_DIR.\n',
    })
    expect(await command('backup', file, product.env)).toEqual({
      code: 1,
      output: `${file} is there already. Name another file, or remove this one first.\n`,
    })
    const { database, env } = await emptyPlace('other')
    const strange = { ...env, ENCRYPTION_KEY: 'another-encryption-key-0123456789abcdef' }
    expect(await command('restore', file, strange)).toEqual({
      code: 1,
      output: `ENCRYPTION_KEY must contain the value of the backup. It is in: tar -xOf ${file} secrets.json\n`,
    })
    await database.drop()
  })

  test('is refused if it is truncated, modified, or made by a newer version', async () => {
    await delivered()
    await asOwner(product.env.DATABASE_URL!, (client) =>
      client.query(
        `insert into _prisma_migrations (id, checksum, migration_name, finished_at) values ('x', 'x', '20990101000000_later', now())`,
      ),
    )
    expect(await command('backup', file, product.env)).toMatchObject({ code: 0 })
    const { database, env } = await emptyPlace('other')
    const refusalOf = async (bytes: Buffer) => {
      const damaged = path.join(home, 'damaged.tar')
      await fs.writeFile(damaged, bytes)
      const { code, output } = await command('restore', damaged, env)
      expect(code).toBe(1)
      return output.replace(damaged, 'FILE')
    }
    const bytes = await fs.readFile(file)
    expect(await refusalOf(bytes.subarray(0, bytes.length / 2))).toMatch(
      /^FILE is no backup, or only a part of one/,
    )
    const changed = Buffer.from(bytes)
    const at = changed.indexOf('clips/') + 512 + 2_000
    changed[at] = changed[at]! ^ 1
    expect(await refusalOf(changed)).toMatch(/^FILE is damaged: clips\/.*\.\n$/)
    expect(await refusalOf(Buffer.from('no tar'))).toMatch(/^FILE is no backup/)
    expect((await command('restore', file, env)).output).toBe(
      'This backup was made by a newer version of the product (it has 20990101000000_later). Restore it with that version.\n',
    )
    await database.drop()
  })

  test('names the clips that the storage has lost, and contains the others', async () => {
    await delivered()
    const { rows } = await product.db.query<{ file_key: string }>('select file_key from videos')
    await fs.rm(path.join(product.dataDir, 'videos', rows[0]!.file_key))
    const { code, output } = await command('backup', file, product.env)
    expect(code).toBe(3)
    expect(output).toContain(
      `Files missing in the storage, or different from what was stored: 1 (${rows[0]!.file_key})`,
    )

    const folder = path.join(home, 'nightly')
    expect(await command('backup', ['--into', folder], product.env)).toMatchObject({ code: 3 })
    const nightly = await createReadBackups(folder, false)?.()
    expect(nightly?.newest).not.toBeNull()
    expect(nightly?.problem).toContain('Files missing in the storage, or different')
    expect((await fs.readdir(home)).filter((name) => name.startsWith('reelmill.tar'))).toEqual([
      'reelmill.tar',
    ])
  })
})
