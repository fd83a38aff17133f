import sql from 'sql-template-tag'
import {
  ALARM_CHANNELS,
  AlarmUndelivered,
  type AlarmChannel,
  type AlarmMessage,
} from '~/platform/alarms/port'
import { newId } from '~/lib/ids'
import { paths } from '~/lib/paths'
import { readSetting } from '../business/settings.server'
import type { AdminCtx, Deps } from '../context'
import { AppError } from '../errors'
import { textOf } from './messages.server'

/**
 * Sends the messages that wait, oldest first. What is not delivered is tried again for a day, after
 * 20 s first and after ten minutes at last. A process that is killed while it sends may leave a message
 * that is sent twice, with the same id.
 */
export async function sendAlarms(deps: Deps): Promise<void> {
  const { db, log } = deps
  const { targets } = (await readSetting(db, 'alarms')) ?? {}
  const isOn = (channel: AlarmChannel) => (targets?.[channel] ?? null) !== null
  const open = new Set(ALARM_CHANNELS.filter(isOn))
  await db.run(sql`
    delete from alarm_messages where sent_at is null and channel <> all(${[...open]}::text[])`)
  for (;;) {
    // The pause is longer than one sending takes, so that no other process sends the same.
    const message = await db.row<AlarmMessage & { channel: AlarmChannel }>(sql`
      update alarm_messages set tries = tries + 1, next_try_at = engine_now()
        + least(20 * power(2, tries), 600) * interval '1 second'
      where id = (select id from alarm_messages
        where sent_at is null and next_try_at <= engine_now() and channel = any(${[...open]}::text[])
          and at > engine_now() - interval '1 day'
        order by at, id limit 1 for update skip locked)
      returning id, channel, name, state, text,
        to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at`)
    if (!message) return
    const { channel, ...rest } = message
    const problem = await send(deps, channel, targets?.[channel] ?? '', rest)
    await db.run(sql`
      update alarm_messages set problem = ${problem},
        sent_at = case when ${problem}::text is null then engine_now() end
      where id = ${message.id}`)
    if (problem === null) continue
    log.warn({ channel, problem }, 'an alarm was not delivered')
    // One try tells about the channel; the others wait.
    open.delete(channel)
  }
}

/** Sends one message and returns why it was not delivered, or null. */
const send = (deps: Pick<Deps, 'alarms'>, ...what: Parameters<Deps['alarms']['send']>) =>
  deps.alarms.send(...what).then(
    () => null,
    (error: unknown) => {
      if (error instanceof AlarmUndelivered) return error.message
      throw error
    },
  )

/**
 * Sends a test through every channel of the stored settings, from this process, and returns the
 * channels. Throws CONFLICT if there is none, and with what a channel answered if it refused.
 */
export async function sendTest(ctx: AdminCtx): Promise<AlarmChannel[]> {
  const { db, settings, actor } = ctx
  const { targets } = (await readSetting(db, 'alarms')) ?? {}
  const sent: AlarmChannel[] = []
  const problems: string[] = []
  const lines = [`${actor.username} asked for it. If you read this, alarms arrive.`]
  const text = textOf(settings, { title: 'Test', lines, path: paths.admin.settings })
  const message = {
    id: newId(),
    name: 'test',
    state: 'test',
    at: new Date().toISOString(),
    text,
  } as const
  for (const channel of ALARM_CHANNELS) {
    const target = targets?.[channel] ?? null
    if (target === null) continue
    const problem = await send(ctx, channel, target, message)
    if (problem === null) sent.push(channel)
    else problems.push(`${channel}: ${problem}`)
  }
  if (problems.length > 0) throw new AppError('CONFLICT', problems.join('. '))
  if (sent.length === 0) throw new AppError('CONFLICT', 'Save where they are to go first')
  return sent
}
