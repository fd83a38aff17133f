import sql from 'sql-template-tag'
import type { Executor, Tx } from '~/platform/db/port'
import type { Deps, UserCtx } from '../context'
import { DEFAULT_PLANS } from '../plans/catalogue'
import { PLAN_NAMES, type PlanName, type Plans } from '../plans/types'
import { today } from '../days.server'
import { ENGLISH } from './chat-texts'
import { STORED } from './schemas'
import { PAYMENT_KINDS, type Contacts, type PaymentAccounts } from '../context'
import {
  DEFAULT_ALARMS,
  type ChatLanguage,
  type CodeIncome,
  type Notices,
  type PaymentMethod,
  type SettingName,
  type SettingValues,
  type VideoCosts,
} from './types'

/**
 * Returns a stored setting, or null if there is none. One that this version cannot read counts as
 * none: a later version wrote it.
 */
export async function readSetting<Name extends SettingName>(
  db: Executor,
  name: Name,
): Promise<SettingValues[Name] | null> {
  const row = await db.row<{ value: unknown }>(sql`
    select value from business_settings where name = ${name}`)
  return parsed(name, row?.value)
}

/** Returns a stored value, or null if it is none of this version's. */
export const parsed = <Name extends SettingName>(
  name: Name,
  value: unknown,
): SettingValues[Name] | null => STORED[name].safeParse(value).data ?? null

/** All settings that are stored, by name. */
const ALL = sql`select coalesce(json_object_agg(name, value), '{}') from business_settings`
type Stored = Partial<Record<SettingName, unknown>>

/** Stores a setting; null removes it, so that its default applies again. */
export async function writeSetting<Name extends SettingName>(
  tx: Tx,
  name: Name,
  value: SettingValues[Name] | null,
): Promise<void> {
  if (value === null) {
    await tx.run(sql`delete from business_settings where name = ${name}`)
    return
  }
  await tx.run(sql`
    insert into business_settings (name, value, changed_at)
    values (${name}, ${JSON.stringify(value)}::jsonb, engine_now())
    on conflict (name) do update set value = excluded.value, changed_at = excluded.changed_at`)
}

type Reads = Pick<Deps, 'db' | 'settings'>

/** Returns how visitors reach the operator. */
export const getContacts = async ({ db, settings }: Reads): Promise<Contacts> =>
  (await readSetting(db, 'contacts')) ?? settings.business.contacts

/** Returns all ways to pay, also those without an account. */
export const getPaymentAccounts = async ({ db, settings }: Reads): Promise<PaymentAccounts> =>
  (await readSetting(db, 'payment')) ?? settings.business.payment

/** Returns the chat texts of each language. There is at least one. */
export const getChatTexts = async ({ db }: Pick<Reads, 'db'>): Promise<readonly ChatLanguage[]> =>
  (await readSetting(db, 'chatTexts')) ?? [ENGLISH]

/** Returns what one video costs the operator at each provider, or null if that is not set. */
export const getVideoCosts = (db: Executor): Promise<VideoCosts | null> =>
  readSetting(db, 'videoCost')

/** Returns when codes that are made now will be income. */
export const getCodeIncome = async (db: Executor): Promise<CodeIncome> =>
  (await readSetting(db, 'codeIncome')) ?? 'used'

/** Returns the plans as sold now: those of the catalogue, where the Plans page has not changed them. */
export async function getPlans(db: Executor): Promise<Plans> {
  const { stored } = await db.one<{ stored: Stored }>(sql`select (${ALL}) as stored`)
  return {
    Starter: parsed('plan.Starter', stored['plan.Starter']) ?? DEFAULT_PLANS.Starter,
    Professional:
      parsed('plan.Professional', stored['plan.Professional']) ?? DEFAULT_PLANS.Professional,
    Business: parsed('plan.Business', stored['plan.Business']) ?? DEFAULT_PLANS.Business,
    Enterprise: parsed('plan.Enterprise', stored['plan.Enterprise']) ?? DEFAULT_PLANS.Enterprise,
  }
}

/**
 * Counts the accounts of each plan whose providers or units of a video are not those with which it is sold
 * now.
 */
export async function countOtherRoutes(db: Executor): Promise<Partial<Record<PlanName, number>>> {
  const rows = await db.rows<{ plan: PlanName | null; count: number }>(sql`
    with sold as materialized (
      select name, route_of_plan(name) as route, clip_units_of_plan(name) as clip_units from unnest(enum_range(null::plan_name)) as name)
    select sold.name as plan, count(*)::int as count from sold join users on plan = sold.name
    where deleted_at is null and (users.route <> sold.route or users.clip_units <> sold.clip_units)
    group by sold.name`)
  return Object.fromEntries(rows.flatMap(({ plan, count }) => (plan ? [[plan, count]] : [])))
}

/** Returns the ways to pay that have an account: what buyers see. */
export const shownMethods = (accounts: PaymentAccounts): PaymentMethod[] =>
  PAYMENT_KINDS.flatMap((kind) => {
    const { account, ...rest } = accounts[kind]
    return account === null ? [] : [{ kind, ...rest, account }]
  })

/**
 * Returns what a signed-in page shows of the settings: today's announcement, unless the user has closed
 * it, the pause of new orders, the operator's number in the chat app, and whether the user may invite others.
 */
export async function getFrameSettings({
  db,
  actor,
  settings,
}: UserCtx): Promise<{ notices: Notices; chatNumber: string; mayInvite: boolean }> {
  const {
    today: day,
    seen,
    stored,
  } = await db.one<{
    today: string
    seen: string | null
    stored: Stored
  }>(sql`
    select ${today(settings.timeZone)}::text as today,
      (select announcement_id from announcement_dismissals where user_id = ${actor.id}) as seen,
      (${ALL}) as stored`)
  const announcement = parsed('announcement', stored.announcement)
  const isShown =
    announcement !== null &&
    announcement.id !== seen &&
    (announcement.fromDay ?? day) <= day &&
    (announcement.untilDay ?? day) >= day
  const { chatNumber } = parsed('contacts', stored.contacts) ?? settings.business.contacts
  const pause = parsed('pause', stored.pause)
  const mayInvite = actor.role === 'user' && parsed('referral', stored.referral) !== null
  return { notices: { announcement: isShown ? announcement : null, pause }, chatNumber, mayInvite }
}

/** Closes an announcement for the user, on all devices. A later announcement is shown again. */
export async function dismissAnnouncement({ db, actor }: UserCtx, id: string): Promise<void> {
  await db.run(sql`
    insert into announcement_dismissals (user_id, announcement_id) values (${actor.id}, ${id})
    on conflict (user_id) do update set announcement_id = excluded.announcement_id`)
}

/** Returns all settings for the page that changes them, and which of them replace a default. */
export async function getBusiness({ db, settings: { business } }: Reads) {
  const { stored } = await db.one<{ stored: Stored }>(sql`select (${ALL}) as stored`)
  const contacts = parsed('contacts', stored.contacts)
  const payment = parsed('payment', stored.payment)
  const chatTexts = parsed('chatTexts', stored.chatTexts)
  const isPlanChanged = PLAN_NAMES.some((plan) => stored[`plan.${plan}`] !== undefined)
  return {
    announcement: parsed('announcement', stored.announcement),
    pause: parsed('pause', stored.pause),
    referral: parsed('referral', stored.referral),
    alarms: parsed('alarms', stored.alarms) ?? DEFAULT_ALARMS,
    setup: parsed('setup', stored.setup) ?? { marked: [] },
    contacts: contacts ?? business.contacts,
    payment: payment ?? business.payment,
    chatTexts: chatTexts ?? [ENGLISH],
    isChanged: {
      contacts: contacts !== null,
      payment: payment !== null,
      chatTexts: chatTexts !== null,
      plans: isPlanChanged,
    },
  }
}
