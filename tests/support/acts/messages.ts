import { expect } from 'vitest'
import { cancelBatch } from '../../../app/domain/batches/cancel-batch.server'
import type { UserCtx } from '../../../app/domain/context'
import {
  getNotifications,
  sendTestNotification,
  turnOff,
} from '../../../app/domain/notifications/own-notifications.server'
import { remindCustomers } from '../../../app/domain/notifications/reminders.server'
import { saveWebhook } from '../../../app/domain/notifications/webhook.server'
import { isAppError } from '../../../app/domain/errors'
import { newId } from '../../../app/lib/ids'
import type { startReceiver } from '../alarm-receivers'
import { bulk, endUnheard, generate } from '../engine/actions'
import { deleteOwner, disable, enable, renewOne, restoreOwner } from './account-acts'
import { DONE, type Act, type Refusal, type Thing } from './thing'
import { DAY_MS, type World } from './world'

type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** The messages of a person whose program is called when a batch has ended. */
export type Messages = { person: UserCtx }

const TRAITS = ['one waits', 'one was sent', 'unheard of'] as const
type Trait = (typeof TRAITS)[number]

/** Returns what is done to messages, which are sent to `receiver`. */
export function messagesTo(receiver: () => Receiver) {
  /** Each person's own, so that it is known whose message came. */
  const urlOf = ({ actor }: UserCtx) => `${receiver().url}/${actor.id}`

  const answers =
    (status: number): Act<Messages> =>
    () => {
      receiver().answer(status)
      return Promise.resolve()
    }

  const batchEnds: Act<Messages> = async ({ engine }, { person }) => {
    await bulk(person, 1)
    await engine.advance(100_000)
  }

  async function open(world: World, person: UserCtx, traits: ReadonlySet<Trait>) {
    receiver().answer(traits.has('one waits') ? 503 : 204)
    await saveWebhook(person, { url: urlOf(person) })
    if (traits.has('one waits') || traits.has('one was sent')) await batchEnds(world, { person })
    if (traits.has('unheard of')) await endUnheard(world.engine, person)
    return { person }
  }

  const acts = {
    'a batch ends': batchEnds,
    'a batch is cancelled': async (_world, { person }) => {
      const { batchId } = await bulk(person, 2)
      await cancelBatch(person, batchId)
    },
    'a single video': async ({ engine }, { person }) => {
      await generate(person)
      await engine.advance(100_000)
    },
    'the worker is killed': async ({ engine }, { person }) => {
      await bulk(person, 1)
      await engine.advance(50_000)
      engine.worker().killSwitch.killAfter(25)
      await engine.advance(50_000)
      await engine.restart()
    },
    'the receiver fails': answers(503),
    'the receiver is gone': answers(410),
    'the receiver is back': answers(204),
    'turn off': (_world, { person }) => turnOff(person, 'webhook'),
    'turn on': async (_world, { person }) => {
      await saveWebhook(person, { url: urlOf(person) })
    },
    'listen to each clip': async (_world, { person }) => {
      await saveWebhook(person, { url: urlOf(person), eachClip: true })
    },
    'send a test': async (world, subject) => {
      const before = await stored(world, subject)
      const said = await sendTestNotification(subject.person, 'webhook').catch(asAppError)
      const { messages } = await stored(world, subject)
      // One that did not arrive is refused in words, and kept like one that did.
      if (messages.length === before.messages.length && isAppError(said)) throw said
      const state = isAppError(said) ? 'failed' : 'sent'
      expect(messages[0]).toMatchObject({ state, batchId: null, tries: 1 })
    },
    'the plan’s end comes near': async ({ engine }, { person }) => {
      await engine.pool.query(
        `update users set expiry_date = engine_now() + interval '20 hours' where id = $1`,
        [person.actor.id],
      )
      await remindCustomers(engine.deps)
      await engine.advance(60_000)
    },
    'the plan is renewed': renewOne,
    'two days': ({ engine }) => engine.advance(2 * DAY_MS),
    disable,
    enable,
    'delete the account': deleteOwner,
    'restore the account': restoreOwner,
  } satisfies Record<string, Act<Messages>>

  const refusals: readonly Refusal<keyof typeof acts | Trait>[] = [
    {
      after: ['disable'],
      then: ORDERS,
      says: 'This account is disabled. Contact us to open it again.',
    },
    { after: ['delete the account'], then: ORDERS, says: 'Please sign in' },
    {
      after: ['turn off', 'disable', 'delete the account'],
      then: ['send a test'],
      says: 'Set and confirm an address first',
    },
    {
      after: ['delete the account'],
      then: ['disable', 'enable', 'the plan is renewed', 'delete the account'],
      says: 'This user does not exist',
    },
    { after: ['delete the account'], then: ['restore the account'], says: DONE },
    {
      after: 'any',
      then: ['restore the account'],
      says: 'This user is not in the trash any more',
    },
  ]

  async function agrees(world: World, subject: Messages): Promise<void> {
    const { person } = subject
    const { messages, webhook } = await stored(world, subject)
    const view = await getNotifications(person, newId())
    expect(view.webhook).toEqual(webhook)
    expect(
      view.messages.map(({ id, batchId, state, tries, answer }) => ({
        id,
        batchId,
        state,
        tries,
        answer,
      })),
    ).toEqual(messages)

    // A message that was sent has arrived; one that has not been tried has not.
    const arrived = receiver().received.filter(({ path }) => path.endsWith(person.actor.id))
    const copies = (id: string) =>
      arrived.filter(({ headers }) => headers['webhook-id'] === id).length
    for (const { id, state, tries } of messages) {
      if (state === 'sent') expect(copies(id)).toBeGreaterThan(0)
      expect(copies(id)).toBeLessThanOrEqual(tries)
    }
    // Nothing arrives that is not listed, and nobody is told twice of one batch, or of one end.
    const ids = new Set(messages.map(({ id }) => id))
    for (const { headers } of arrived) expect(ids).toContain(headers['webhook-id'])
    const told = messages.flatMap(({ batchId }) => batchId ?? [])
    expect(new Set(told).size).toBe(told.length)
    const { rows } = await world.engine.pool.query(
      `select reminder, of_end from notifications where user_id = $1 and reminder is not null
         and state <> 'dropped' group by 1, 2 having count(*) > 1`,
      [person.actor.id],
    )
    expect(rows).toEqual([])
    // While no address is told, nothing waits for long.
    if (webhook === null) expect(messages.map(({ state }) => state)).not.toContain('waiting')
  }

  const thing: Thing<Messages, keyof typeof acts, Trait> = {
    open,
    traits: TRAITS,
    acts,
    stored,
    agrees,
    refusals,
  }
  return thing
}

const ORDERS = [
  'a batch ends',
  'a batch is cancelled',
  'a single video',
  'the worker is killed',
] as const

function asAppError(error: unknown): unknown {
  if (isAppError(error)) return error
  throw error
}

type Row = {
  id: string
  batchId: string | null
  state: string
  tries: number
  answer: number | null
}

async function stored({ engine }: World, { person }: Messages) {
  const messages = await engine.pool.query<Row>(
    `select id, batch_id as "batchId", state::text, tries, answer from notifications
     where user_id = $1 order by at desc, id desc`,
    [person.actor.id],
  )
  const webhook = await engine.pool.query<{ url: string; isStopped: boolean; tellsClips: boolean }>(
    `select url, stopped_at is not null as "isStopped", tells_clips as "tellsClips"
     from notification_webhooks where user_id = $1`,
    [person.actor.id],
  )
  return { messages: messages.rows, webhook: webhook.rows[0] ?? null }
}
