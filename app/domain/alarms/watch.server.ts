import sql from 'sql-template-tag'
import { newId } from '~/lib/ids'
import { paths } from '~/lib/paths'
import { timeOfDay } from '~/lib/time'
import { ADVISORY_LOCKS } from '~/platform/db/locks'
import type { Tx } from '~/platform/db/port'
import { readSetting } from '../business/settings.server'
import { ALARM_CHANNELS, type AlarmSettings } from '../business/types'
import { databaseNow } from '../clock.server'
import type { Deps } from '../context'
import { findingsOf } from '../health/findings'
import { getSystemFacts } from '../health/status.server'
import type { SystemFacts } from '../health/types'
import { addMessages } from '../notifications/outbox.server'
import { alarmMessage, type News } from '../notifications/alarm-messages'
import { ALWAYS, isQuietAt, isWanted, LASTING, lastedFor, nextStep, ONCE } from './rules'
import type { AlarmRow, LastingName, OnceName, Step } from './rules'
import { dailySummary } from './summary.server'

type Moment = { now: Date; isQuiet: boolean; time: string }

/**
 * Decides what administrators are told now, and stores it as messages. It runs every minute and after
 * each event; several processes may run it at once.
 */
export async function watchAlarms(deps: Deps): Promise<void> {
  const { db, settings } = deps
  const alarms = await readSetting(db, 'alarms')
  if (!alarms || Object.values(alarms.targets).every((target) => target === null)) {
    // Switched on again, it begins anew.
    await db.run(sql`delete from alarms`)
    return
  }
  const facts = await getSystemFacts(deps)
  await db.transaction(async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.alarms})`)
    const now = await databaseNow(tx)
    const time = timeOfDay(now.toISOString(), settings.timeZone)
    const moment = { now, time, isQuiet: isQuietAt(time, alarms) }
    const news = [
      ...(await tellOfLasting(tx, { alarms, facts, moment })),
      ...(await tellOnce(tx, alarms, moment)),
      ...(await dailySummary(deps, tx, { alarms, facts, ...moment })),
    ]
    const channels = ALARM_CHANNELS.filter((channel) => alarms.targets[channel] !== null)
    const at = now.toISOString()
    const messages = channels.flatMap((channel) =>
      news.map((one) => {
        const id = newId()
        return { ...alarmMessage[channel](settings, one, { id, at }), id, channel, userId: null }
      }),
    )
    await addMessages(deps, tx, messages)
    await tx.run(sql`delete from alarm_notices where at < engine_now() - interval '1 day'`)
  })
}

type Seen = { alarms: AlarmSettings; facts: SystemFacts; moment: Moment }

async function tellOfLasting(tx: Tx, { alarms, facts, moment }: Seen): Promise<News[]> {
  const names = NAMES.filter((name) => isWanted(name, alarms))
  await tx.run(sql`
    delete from alarms where name = any(${NAMES}::text[]) and name <> all(${names}::text[])`)
  const rows = await tx.rows<AlarmRow & { name: string }>(sql`
    select name, started_at as "startedAt", ended_at as "endedAt", told_at as "toldAt",
      is_owed as "isOwed" from alarms`)
  // What the provider answered may repeat a prompt.
  const unseen = <Of extends Pick<SystemFacts['provider'], 'gates'>>(of: Of): Of => ({
    ...of,
    gates: of.gates.map((gate) => ({ ...gate, seen: null })),
  })
  const { provider, others } = facts
  const findings = findingsOf({ ...facts, provider: unseen(provider), others: others.map(unseen) })
  const news: News[] = []
  for (const name of names) {
    const { areas, isOn, afterMs, title } = LASTING[name]
    const found = findings.find(
      (finding) => within(areas, finding.area) && isOn(finding, facts, alarms),
    )
    const isQuiet = moment.isQuiet && !ALWAYS.some((one) => one === name)
    const row = rows.find((one) => one.name === name) ?? null
    const step = nextStep(row, { isOn: found !== undefined, now: moment.now, isQuiet, afterMs })
    if (!step) continue
    await saveRow(tx, name, step.row)
    if (step.tell === null) continue
    const path = paths.admin.system
    const lines = found ? [found.text] : []
    news.push({ name, state: step.tell, title: titleOf(title, step), lines, path })
  }
  return news
}

const NAMES = Object.keys(LASTING).filter((name): name is LastingName => name in LASTING)

const within = (areas: readonly string[], area: string) => areas.includes(area)

function titleOf(title: string, { tell, forMs }: Step): string {
  if (tell === 'solved') return `Solved after ${lastedFor(forMs)}: ${title}`
  return tell === 'lasts' ? `Still, for ${lastedFor(forMs)}: ${title}` : title
}

async function saveRow(tx: Tx, name: LastingName, row: AlarmRow): Promise<void> {
  await tx.run(sql`
    insert into alarms (name, started_at, ended_at, told_at, is_owed)
    values (${name}, ${row.startedAt}, ${row.endedAt}, ${row.toldAt}, ${row.isOwed})
    on conflict (name) do update set started_at = excluded.started_at, ended_at = excluded.ended_at,
      told_at = excluded.told_at, is_owed = excluded.is_owed`)
}

const PATHS = {
  'key-lost': paths.admin.tokens,
  credits: paths.admin.tokensIn('spent'),
  'sign-in': paths.admin.activityLog,
  claim: paths.admin.payments,
  request: paths.admin.helpers,
} as const satisfies Record<OnceName, string>

const isOnce = (name: string): name is OnceName => name in ONCE

/** Gathers the notices that nobody was told of, one message for each name. */
async function tellOnce(tx: Tx, alarms: AlarmSettings, { isQuiet }: Moment): Promise<News[]> {
  if (isQuiet) return []
  const notices = await tx.rows<{ name: string; texts: string[] }>(sql`
    with told as (
      update alarm_notices set told_at = engine_now() where told_at is null
      returning name, text, at, subject_id
    )
    select name, array_agg(text order by at) as texts from told
    -- A claim may have been decided meanwhile.
    where name <> 'claim' or exists (select from payments where id = subject_id and state = 'claimed')
    group by name order by name`)
  return notices.flatMap(({ name, texts }) => {
    if (!isOnce(name) || !isWanted(name, alarms)) return []
    const lines = texts.slice(0, MOST_LINES)
    const more = texts.length - lines.length
    if (more > 0) lines.push(`and ${more} more`)
    return [{ name, state: 'notice' as const, title: ONCE[name].title, lines, path: PATHS[name] }]
  })
}

const MOST_LINES = 10
