import { execFile } from 'node:child_process'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PUSH_KEY_ID, pushSealedAs } from '../../app/domain/notifications/sealed'
import { createVault } from '../../app/platform/secrets/vault.server'
import { startInstallation, type Installation } from '../support/installation'
import { sendForm } from '../support/page'
import { startWeb } from '../support/processes'
import { Client } from '../support/client'
import { stopClock, switchOn, type StandingClock } from '../support/second-factor'

const OLD = 'test-encryption-key-0123456789abcdef'
const NEW = 'another-encryption-key-0123456789abc'

let product: Installation
let clock: StandingClock
let admin: Awaited<ReturnType<Installation['user']>>
beforeAll(async () => {
  product = await startInstallation()
  clock = await stopClock(product.db)
  admin = await product.user({ role: 'admin' })
})
afterAll(() => product.remove())

/** Returns the output and exit code of the built command. */
const reseal = (keys: string) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const { PATH, HOME } = process.env
    execFile(
      process.execPath,
      [path.resolve('build/reseal.js')],
      { env: { PATH, HOME, NODE_ENV: 'production', ...product.env, ENCRYPTION_KEY: keys } },
      (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    )
  })

type Row = { id: string; sealed: Buffer }
const tokens = async () =>
  (await product.db.query<Row>('select id, secret_cipher as sealed from credentials order by id'))
    .rows
const factors = async () =>
  (
    await product.db.query<Row>(
      `select 'second-factor:' || user_id as id, secret_cipher as sealed from second_factors`,
    )
  ).rows
/** Returns how many values of each kind this key alone can decrypt. */
const openedBy = async (key: string) => {
  const vault = createVault([key])
  const opens = ({ id, sealed }: Row) => {
    try {
      return vault.open(id, sealed) !== ''
    } catch {
      return false
    }
  }
  return [(await tokens()).filter(opens).length, (await factors()).filter(opens).length]
}

describe('a new first ENCRYPTION_KEY', () => {
  test('a repeatable command encrypts every value with it', async () => {
    const { app } = await switchOn(admin, clock.now)
    // More values than one step of the command handles.
    const pool = Array.from({ length: 450 }, (_, n) => `test-token-${n}-abcdefghijklmnop`)
    const typed = { intent: 'add-tokens', tokens: pool.join('\n') }
    expect((await sendForm(admin, '/admin/tokens', typed)).text).toContain('Tokens added')
    const before = await tokens()
    const count = before.length
    expect(count).toBeGreaterThanOrEqual(450)
    expect(await openedBy(OLD)).toEqual([count, 1])

    const hook = `notification-webhook:${admin.userId}`
    await product.db.query(
      `insert into notification_webhooks (user_id, url, secret_cipher) values ($1, 'https://a.example', $2)`,
      [admin.userId, createVault([OLD]).seal(hook, 'whsec_1')],
    )
    await product.db.query(
      `insert into push_keys (id, public_key, secret_cipher, created_at) values ($1, 'public', $2, now())`,
      [PUSH_KEY_ID, createVault([OLD]).seal(pushSealedAs(), 'secret')],
    )
    const first = await reseal(`${NEW},${OLD}`)
    expect(first).toMatchObject({ code: 0 })
    expect(first.output).toContain(`tokens: ${count} encrypted with the first key, 0 unreadable`)
    expect(first.output).toContain('second factors: 1 encrypted with the first key, 0 unreadable')
    expect(first.output).toContain('webhook secrets: 1 encrypted with the first key, 0 unreadable')
    expect(first.output).toContain('push keys: 1 encrypted with the first key, 0 unreadable')
    const { rows: keys } = await product.db.query<Row>(
      'select secret_cipher as sealed from push_keys',
    )
    expect(createVault([NEW]).open(pushSealedAs(), keys[0]!.sealed)).toBe('secret')
    const { rows } = await product.db.query<Row>(
      'select secret_cipher as sealed from notification_webhooks',
    )
    expect(createVault([NEW]).open(hook, rows[0]!.sealed)).toBe('whsec_1')
    expect(await openedBy(NEW)).toEqual([count, 1])
    const texts = (key: string, rows: Row[]) =>
      rows.map(({ id, sealed }) => createVault([key]).open(id, sealed))
    expect(texts(NEW, await tokens())).toEqual(texts(OLD, before))

    const again = await reseal(`${NEW},${OLD}`)
    expect(again.output).toContain('tokens: 0 encrypted with the first key, 0 unreadable')

    const web = await startWeb({ ...product.env, ENCRYPTION_KEY: NEW })
    const client = new Client(web.url)
    await clock.move(30)
    const asked = await client.post<{ step: string }>('/api/auth/login', {
      username: admin.username,
      password: 'secret-1',
    })
    const code = { step: asked.body.step, code: app.code() }
    expect((await client.post('/api/auth/login/code', code)).status).toBe(200)
    await web.stop()
  })

  test('an interrupted run is resumed', async () => {
    // The state after a run was killed between two steps: some values are done, some are not.
    const rows = await tokens()
    const [vault, old] = [createVault([NEW, OLD]), createVault([OLD])]
    for (const { id, sealed } of rows.slice(0, 7))
      await product.db.query('update credentials set secret_cipher = $2 where id = $1', [
        id,
        old.seal(id, vault.open(id, sealed)),
      ])
    const rest = await reseal(`${NEW},${OLD}`)
    expect(rest.output).toContain('tokens: 7 encrypted with the first key, 0 unreadable')
    expect((await openedBy(NEW))[0]).toBe(rows.length)
  })

  test('a value that no key decrypts is counted, kept unchanged, and does not stop the rest', async () => {
    const before = await tokens()
    const third = 'a-third-encryption-key-0123456789abc'
    const lost = await reseal(third)
    expect(lost.code).toBe(1)
    expect(lost.output).toContain(
      `tokens: 0 encrypted with the first key, ${before.length} unreadable`,
    )
    expect(lost.output).toContain('Add that key and run the command again')
    expect(await tokens()).toEqual(before)
  })
})
