import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../../simulator/simulator'
import { startMailServer, startReceiver } from '../../support/alarm-receivers'
import { startInstallation, type Installation, type TestUser } from '../../support/installation'
import { findViolations } from '../../support/invariants'
import { KILL_HOOKS } from '../../support/engine/kill-worker'
import { sendForm } from '../../support/page'
import { until } from '../../support/wait'

// A real worker is killed while it tells a user of a batch. notifications.test.ts does the same at every statement,
// in one process.

let simulator: Simulator
let receiver: Awaited<ReturnType<typeof startReceiver>>
let mail: Awaited<ReturnType<typeof startMailServer>>
let product: Installation
beforeAll(async () => {
  receiver = await startReceiver()
  mail = await startMailServer()
  simulator = await startSimulator({ scenario: { defaults: { generationMs: [50, 100] } } })
  product = await startInstallation({
    env: {
      ...simulator.env('openai'),
      ALARM_SMTP_URL: mail.url,
      USER_EMAIL: 'on',
      USER_WEBHOOKS: 'on',
      USER_WEBHOOK_HOSTS: receiver.host,
    },
  })
})
afterAll(async () => {
  await product.remove()
  await simulator.stop()
  await mail.stop()
  await receiver.stop()
})
beforeEach(() => {
  receiver.answer(204)
  receiver.received.length = 0
  mail.mails.length = 0
})
afterEach(async () => expect(await findViolations(product.db)).toEqual({}))

/** Makes a user who is told by both ways, and starts a batch. */
async function startTold(): Promise<{ user: TestUser; batchId: string }> {
  const user = await product.user({ plan: 'Enterprise', video_limit: 100, speed_limit: 50 })
  await sendForm(user, '/account/notifications', {
    intent: 'notification-webhook',
    url: receiver.url,
  })
  await product.db.query(`insert into notification_emails (user_id, address) values ($1, $2)`, [
    user.userId,
    'anna@home.example',
  ])
  const { body } = await user.post<{ batchId: string }>('/api/videos/bulk-generate', {
    prompts: ['A quiet lake', 'A loud lake'],
  })
  return { user, batchId: body.batchId }
}

type Row = { id: string; channel: string; state: string }
const rowsOf = async ({ userId }: TestUser): Promise<Row[]> => {
  const { rows } = await product.db.query<Row>(
    'select id, channel, state from notifications where user_id = $1 order by channel',
    [userId],
  )
  return rows
}

/** Lets the minute pass for which a message that was being sent is left alone. */
async function letPass(): Promise<void> {
  await product.db.query(`
    update notifications set sending_until = now(), next_try_at = now() where state = 'waiting';
    update graphile_worker._private_jobs set run_at = now() where key like 'notification %'`)
}

/** Starts another worker, and waits until it has told the user by both ways. */
async function tellByAnother(user: TestUser): Promise<Row[]> {
  const worker = await product.startWorker()
  await until('both messages', async () => {
    const isSent = (await rowsOf(user)).filter(({ state }) => state === 'sent').length === 2
    if (!isSent) await letPass()
    return isSent
  })
  await worker.stop()
  return rowsOf(user)
}

const idsReceived = () => receiver.received.map(({ headers }) => headers['webhook-id'])
const mailIds = () => mail.mails.map((text) => /Message-ID: <([0-9a-f-]{36})@/.exec(text)?.[1])

async function expectTold({ user, batchId }: { user: TestUser; batchId: string }): Promise<void> {
  const rows = await tellByAnother(user)
  expect(rows).toMatchObject([
    { channel: 'email', state: 'sent' },
    { channel: 'webhook', state: 'sent' },
  ])
  const [email, webhook] = rows
  // At least once, and again with the id by which a receiver knows it.
  expect(new Set(mailIds())).toEqual(new Set([email?.id]))
  expect(new Set(idsReceived())).toEqual(new Set([webhook?.id]))
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
    batchId,
    counts: { ready: 2 },
  })
  const { body } = await user.get<{ status: string }>(`/api/batches/${batchId}`)
  expect(body.status).toBe('completed')
  const jobs = await product.db.query(
    `select 1 from graphile_worker._private_jobs where key like 'notification %'
     union all select 1 from events`,
  )
  expect(jobs.rows).toEqual([])
}

test('U-NOTIFY-19: the worker is killed while the receiver of the webhook has the call: it is called again with the same id', async () => {
  receiver.answer(0)
  const doomed = await product.startWorker()
  const told = await startTold()
  await until('the call', () => Promise.resolve(receiver.received.length > 0))
  await doomed.kill()
  receiver.answer(204)
  await expectTold(told)
  expect(idsReceived()).toHaveLength(2)
})

test('U-NOTIFY-19: the worker is killed after a message was taken, before this is recorded: the same id arrives again, and nothing is stuck', async () => {
  const told = await startTold()
  const killAt = `before:update notifications set state = 'sent'`
  const doomed = await product.startWorker({ KILL_AT: killAt }, KILL_HOOKS)
  expect(await doomed.ended).toBeNull()
  await expectTold(told)
  expect(mail.mails.length + receiver.received.length).toBeGreaterThan(2)
})
