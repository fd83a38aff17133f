import sql from 'sql-template-tag'
import { newId } from '~/lib/ids'
import { ALARM_CHANNELS, type AlarmMessage } from '~/platform/alarms/port'
import type { Tx } from '~/platform/db/port'
import type { NewJob } from '~/platform/queue/port'
import type { AlarmSettings } from '../business/types'
import type { Deps } from '../context'
import { withoutNumbers } from './rules'

/** Job that decides what is told. A few seconds gather what happens at the same time. */
export const WATCH_SOON: NewJob = {
  name: 'alarms.watch',
  payload: {},
  key: 'alarms.watch',
  delayMs: 2_000,
}

export type News = Pick<AlarmMessage, 'name' | 'state'> & {
  title: string
  lines: readonly string[]
  /** The page of the product on which to look. */
  path: string
}

/** Composes a message: what, by whom, the details, and where to look. */
export function textOf(
  { productName, appUrl }: Deps['settings'],
  news: Omit<News, 'name' | 'state'>,
) {
  const lines = [`${productName}: ${news.title}`, ...news.lines, new URL(news.path, appUrl).href]
  return lines.map(withoutNumbers).join('\n')
}

/** Stores a message for each channel that is on, and adds the job that sends them. */
export async function writeMessages(
  deps: Pick<Deps, 'queue' | 'settings'>,
  tx: Tx,
  { alarms: { targets }, news: all }: { alarms: AlarmSettings; news: readonly News[] },
): Promise<void> {
  const rows = all.flatMap((news) =>
    ALARM_CHANNELS.filter((channel) => targets[channel] !== null).map((channel) => ({
      id: newId(),
      channel,
      name: news.name,
      state: news.state,
      text: textOf(deps.settings, news),
    })),
  )
  if (rows.length === 0) return
  await tx.run(sql`
    insert into alarm_messages (id, channel, name, state, text, at, next_try_at)
    select id, channel, name, state, text, engine_now(), engine_now()
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as message(id uuid, channel text, name text, state text, text text)`)
}
