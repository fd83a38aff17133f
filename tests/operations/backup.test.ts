import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import { expect, onTestFinished } from 'vitest'
import { startSimulator } from '../simulator/simulator'
import { startBucket } from '../support/bucket'
import { startInstallation } from '../support/installation'
import { giveVideoPicture } from '../support/pictures'
import { startWeb, testEnv } from '../support/processes'
import { until } from '../support/wait'
import { command, emptyDatabase } from './archives'
import { slowTest, test } from '../support/slow'

const digestOf = async (response: Response) =>
  createHash('sha256')
    .update(Buffer.from(await response.arrayBuffer()))
    .digest('hex')

// Backups in the middle of a batch, into buckets and into the embedded database are in
// backup.slow.test.ts.
test('a backup of a running product, restored elsewhere: the session, the quota and the bytes of the clip and its picture are the same', async () => {
  const home = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-backup-'))
  onTestFinished(() => fs.rm(home, { recursive: true, force: true }))
  const sim = await startSimulator({ scenario: { defaults: { generationMs: 2_000 } } })
  onTestFinished(() => sim.stop())
  const product = await startInstallation({ worker: true, env: sim.env('openai') })
  onTestFinished(() => product.remove())
  const user = await product.user()
  const { body } = await user.post<{ id: string }>('/api/videos/generate', { prompt: 'A pond' })
  await until('the video', async () => {
    const response = await user.get<{ status: string }>(`/api/videos/${body.id}/status`)
    return response.body.status === 'completed'
  })
  const before = await digestOf(await user.send('GET', `/media/${body.id}.mp4`))
  // U-I2V-18
  const picture = await giveVideoPicture(product, body.id)

  const file = path.join(home, 'reelmill.tar')
  expect(await command('backup', file, product.env)).toMatchObject({ code: 0 })
  const database = await emptyDatabase()
  onTestFinished(() => database.drop())
  const env = testEnv(database.url, path.join(home, '.data'))
  expect(await command('restore', file, env)).toMatchObject({ code: 0 })

  const web = await startWeb(env)
  onTestFinished(() => web.stop())
  const headers = { cookie: user.cookieHeader }
  const media = await fetch(`${web.url}/media/${body.id}.mp4`, { headers })
  expect(await digestOf(media)).toBe(before)
  const restored = await fetch(`${web.url}/media/${body.id}.picture.jpeg`, { headers })
  expect(Buffer.from(await restored.arrayBuffer()).equals(picture)).toBe(true)
  const me = await fetch(`${web.url}/api/auth/me`, { headers })
  expect(await me.json()).toMatchObject({ videosGeneratedToday: 1 })
})

slowTest(
  'a nightly backup is sent to a bucket, encrypted; only with its key it is restored',
  async () => {
    const home = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-backup-'))
    onTestFinished(() => fs.rm(home, { recursive: true, force: true }))
    const bucket = await startBucket()
    onTestFinished(() => bucket.stop())
    const product = await startInstallation()
    onTestFinished(() => product.remove())
    const user = await product.user()
    const [identity, other] = await Promise.all([generateIdentity(), generateIdentity()])
    const env = {
      ...product.env,
      BACKUP_AGE_RECIPIENT: await identityToRecipient(identity),
      BACKUP_S3_BUCKET: 'clips',
      BACKUP_S3_ENDPOINT: bucket.env.S3_ENDPOINT ?? '',
      BACKUP_S3_ACCESS_KEY_ID: bucket.env.S3_ACCESS_KEY_ID ?? '',
      BACKUP_S3_SECRET_ACCESS_KEY: bucket.env.S3_SECRET_ACCESS_KEY ?? '',
      BACKUP_S3_FORCE_PATH_STYLE: 'true',
    }
    const folder = path.join(home, 'nightly')
    const made = await command('backup', ['--into', folder, '--keep', '1'], env)
    expect(made).toMatchObject({ code: 0 })
    expect(made.output).toContain('Sent to the bucket clips as reelmill-')
    const [name = ''] = bucket.objects.keys()
    const sent = bucket.objects.get(name)
    const plain = (await fs.readdir(folder)).find((entry) => entry.endsWith('.tar')) ?? ''
    const copyNote = async () =>
      JSON.parse(await fs.readFile(path.join(folder, 'last-copy.json'), 'utf8')) as {
        sentAt: string | null
        problem: string | null
      }
    const { sentAt, problem } = await copyNote()
    expect([Date.parse(sentAt ?? '') > 0, problem]).toEqual([true, null])
    expect([bucket.objects.size, name]).toEqual([1, `${plain}.age`])
    expect(sent?.subarray(0, 21).toString()).toBe('age-encryption.org/v1')
    expect(sent?.includes('secrets.json')).toBe(false)

    const file = path.join(home, name)
    await fs.writeFile(file, sent ?? '')
    const database = await emptyDatabase()
    onTestFinished(() => database.drop())
    const target = testEnv(database.url, path.join(home, '.data'))
    const keyFile = path.join(home, 'key.txt')
    const restoreWith = async (key: string) => {
      await fs.writeFile(keyFile, `# created: today\n${key}\n`)
      return command('restore', file, { ...target, AGE_KEY_FILE: keyFile })
    }
    const refused = await restoreWith(other)
    expect(refused.code).toBe(1)
    expect(refused.output).toContain('cannot be decrypted with this key')
    expect((await restoreWith('no key')).output).toContain('begins with AGE-SECRET-KEY-1')
    const without = { ...target, SESSION_SECRET: '', AGE_KEY_FILE: keyFile }
    await fs.writeFile(keyFile, identity)
    // O18: the secrets are in the file itself.
    expect((await command('restore', file, without)).output).toBe(
      `SESSION_SECRET must contain the value of the backup. It is in: age -d -i KEYFILE ${file} | tar -xO secrets.json\n`,
    )
    expect(await restoreWith(identity)).toMatchObject({ code: 0 })
    expect(await fs.readdir(home)).not.toContain(expect.stringMatching(/^reelmill-restore-/))
    const web = await startWeb(target)
    onTestFinished(() => web.stop())
    const me = await fetch(`${web.url}/api/auth/me`, { headers: { cookie: user.cookieHeader } })
    expect(await me.json()).toMatchObject({ username: user.username })

    // O20: a bucket that refuses is a problem of the copy, which System and alarms tell.
    await bucket.be('locked')
    const failed = await command('backup', ['--into', folder], env)
    expect(failed.code).toBe(1)
    expect(failed.output).toContain('The backup is whole, but its copy was not sent')
    const after = await copyNote()
    expect(after.sentAt).toBe(sentAt)
    expect(after.problem).toContain('AccessDenied')
    expect(await fs.readdir(folder)).not.toContain('last-problem.txt')
  },
)
