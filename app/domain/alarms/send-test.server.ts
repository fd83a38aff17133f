import { newId } from '~/lib/ids'
import { paths } from '~/lib/paths'
import { readSetting } from '../business/settings.server'
import { ALARM_CHANNELS, DEFAULT_ALARMS, type AlarmChannel } from '../business/types'
import type { AdminCtx } from '../context'
import { AppError } from '../errors'
import { alarmMessage, type News } from '../notifications/alarm-messages'
import { alarmTarget } from '../notifications/targets.server'
import { sendOne } from '../notifications/send.server'

/**
 * Sends a test through every channel of the stored settings, from this process, and returns the
 * channels. Throws CONFLICT if there is none, and with what a channel answered if it refused.
 */
export async function sendTest(ctx: AdminCtx): Promise<AlarmChannel[]> {
  const { db, settings, actor } = ctx
  const alarms = (await readSetting(db, 'alarms')) ?? DEFAULT_ALARMS
  const lines = [`${actor.username} asked for it. If you read this, alarms arrive.`]
  const news: News = {
    name: 'test',
    state: 'test',
    title: 'Test',
    lines,
    path: paths.admin.settings,
  }
  const of = { id: newId(), at: new Date().toISOString() }
  const sent: AlarmChannel[] = []
  const problems: string[] = []
  for (const channel of ALARM_CHANNELS) {
    const target = alarmTarget(ctx, alarms, channel)
    if (target === null) continue
    const message = alarmMessage[channel](settings, news, of)
    const outcome = await sendOne(ctx, target, { ...message, id: of.id, told: [] })
    if (outcome.isSent) sent.push(channel)
    else problems.push(`${channel}: ${outcome.problem}`)
  }
  if (problems.length > 0) throw new AppError('CONFLICT', problems.join('. '))
  if (sent.length === 0) throw new AppError('CONFLICT', 'Save where they are to go first')
  return sent
}
