import sql from 'sql-template-tag'
import { figure } from '~/lib/figures'
import { newId } from '~/lib/ids'
import { logActivity } from '../activity/write.server'
import type { ActivityAction, ActivityFacts } from '../activity/types'
import { requireProofOf } from '../accounts/proof.server'
import type { AdminCtx } from '../context'
import { databaseToday } from '../days.server'
import { AppError } from '../errors'
import { OCCASION_NAMES } from '../business/chat-texts'
import type { AnnouncementInput, ChatLanguageInput } from '../business/schemas'
import { getChatTexts, getPlans, readSetting, writeSetting } from '../business/settings.server'
import { readyAlarmChannels } from '../notifications/targets.server'
import { moneyText } from '../payments/money'
import { DEFAULT_PLANS } from '../plans/catalogue'
import type { Plan, PlanName } from '../plans/types'
import { PAYMENT_KINDS, type Contacts, type PaymentAccounts } from '../context'
import {
  ALARM_CHANNELS,
  CHAT_OCCASIONS,
  type AlarmChannel,
  type AlarmSettings,
  type Announcement,
  type ByHand,
  type ChatLanguage,
  type CodeIncome,
  type OrderPause,
  type Referral,
  type SettingName,
  type SettingValues,
  type VideoCosts,
} from '../business/types'

type Change<Name extends SettingName> = {
  name: Name
  value: SettingValues[Name] | null
  action: Extract<ActivityAction, `setting.${string}`>
  /** How the log shows a value. */
  facts: (value: SettingValues[Name]) => ActivityFacts
  /** What applies without a stored value, if the log shows that. */
  initial?: SettingValues[Name]
}

/**
 * Stores one setting, with its entry in the activity log: what it was, and what it is. Throws
 * PASSWORD_NEEDED for those that the table of decision 40 names.
 */
async function change<Name extends SettingName>(
  ctx: AdminCtx,
  { name, value, action, facts, initial }: Change<Name>,
): Promise<void> {
  requireProofOf(ctx, action)
  await ctx.db.transaction(async (tx) => {
    const before = (await readSetting(tx, name)) ?? initial
    const after = value ?? initial
    await writeSetting(tx, name, value)
    await logActivity(tx, ctx, {
      action,
      ...(before && { before: facts(before) }),
      ...(after && { after: facts(after) }),
    })
  })
}

/**
 * Changes how visitors reach the operator. Null: what the environment says. Throws PASSWORD_NEEDED: buyers
 * write to this number.
 */
export const changeContacts = (ctx: AdminCtx, value: Contacts | null): Promise<void> =>
  change(ctx, { name: 'contacts', value, action: 'setting.contacts', facts: (all) => all })

/**
 * Changes the accounts that buyers pay to. Null: what the environment says. Throws PASSWORD_NEEDED:
 * whoever changes them receives the money.
 */
export const changePaymentAccounts = (
  ctx: AdminCtx,
  value: PaymentAccounts | null,
): Promise<void> =>
  change(ctx, { name: 'payment', value, action: 'setting.payment', facts: paymentFacts })

const paymentFacts = (accounts: PaymentAccounts): ActivityFacts =>
  Object.fromEntries(
    PAYMENT_KINDS.map((kind) => {
      const { name, accountName, account } = accounts[kind]
      return [kind, account === null ? null : `${name}, ${accountName}, ${account}`]
    }),
  )

/**
 * Shows an announcement to all users, also to those who closed the one before. Null ends it. Throws
 * BAD_INPUT if its last day is over, and PASSWORD_NEEDED.
 */
export async function announce(ctx: AdminCtx, input: AnnouncementInput | null): Promise<void> {
  if (
    input?.untilDay &&
    new Date(input.untilDay) < (await databaseToday(ctx.db, ctx.settings.timeZone))
  ) {
    const problem = 'The last day is over'
    throw new AppError('BAD_INPUT', problem, { fields: { untilDay: [problem] } })
  }
  await change(ctx, {
    name: 'announcement',
    value: input && { id: newId(), ...input },
    action: 'setting.announcement',
    facts: ({ text, level, fromDay, untilDay }: Announcement) => ({
      text,
      level,
      fromDay,
      untilDay,
    }),
  })
}

/**
 * Refuses users' new orders with this sentence, until it is called with null. Accepted videos are
 * made, rounds go on, and administrators may order, to test. Throws PASSWORD_NEEDED.
 */
export const pauseOrders = (ctx: AdminCtx, value: OrderPause | null): Promise<void> =>
  change(ctx, { name: 'pause', value, action: 'setting.pause', facts: (all) => all })

/**
 * Changes what administrators are told of, and where. Throws BAD_INPUT for a channel whose secret is
 * missing or an address that must not be called, and PASSWORD_NEEDED: who changes this can keep a
 * sign-in from being noticed.
 */
export async function changeAlarms(ctx: AdminCtx, value: AlarmSettings): Promise<void> {
  requireProofOf(ctx, 'setting.alarms')
  const { webhook } = value.targets
  const ready = readyAlarmChannels(ctx)
  for (const channel of ALARM_CHANNELS)
    if (value.targets[channel] !== null && !ready.includes(channel))
      throw refused(channel, 'Set its secret in the environment first')
  const problem = webhook === null ? null : await ctx.alarmWebhooks.problemOfAddress(webhook)
  if (problem !== null) throw refused('webhook', `This address is refused: ${problem}`)
  await change(ctx, { name: 'alarms', value, action: 'setting.alarms', facts: alarmFacts })
}

const refused = (channel: AlarmChannel, message: string) =>
  new AppError('BAD_INPUT', message, { fields: { [channel]: [message] } })

/** The path of a web address may be a secret. */
const alarmFacts = ({ targets, names, ...rest }: AlarmSettings): ActivityFacts => ({
  ...targets,
  webhook: targets.webhook && new URL(targets.webhook).host,
  names: names.join(', '),
  ...rest,
})

const MOST_LANGUAGES = 8

/**
 * Stores the chat texts of a language: a new one, or the one that had the name `was`. Throws BAD_INPUT
 * if another language has the name, or if there are too many, and PASSWORD_NEEDED: customers are sent them.
 */
export async function saveChatLanguage(
  ctx: AdminCtx,
  { was, ...language }: ChatLanguageInput,
): Promise<void> {
  const before = await getChatTexts(ctx)
  const isSame = (name: string) => name.toLowerCase() === language.name.toLowerCase()
  if (before.some(({ name }) => name !== was && isSame(name))) {
    const problem = `There are texts in ${language.name} already`
    throw new AppError('BAD_INPUT', problem, { fields: { name: [problem] } })
  }
  const isKnown = before.some(({ name }) => name === was)
  if (!isKnown && before.length >= MOST_LANGUAGES)
    throw new AppError('BAD_INPUT', `There can be texts in ${figure(MOST_LANGUAGES)} languages`)
  const after = isKnown
    ? before.map((one) => (one.name === was ? language : one))
    : [...before, language]
  await changeChatTexts(ctx, after)
}

/** Removes the chat texts of a language. With the last one the standard texts apply again. */
export async function removeChatLanguage(ctx: AdminCtx, language: string): Promise<void> {
  const rest = (await getChatTexts(ctx)).filter(({ name }) => name !== language)
  await changeChatTexts(ctx, rest.length === 0 ? null : rest)
}

const changeChatTexts = (ctx: AdminCtx, value: readonly ChatLanguage[] | null): Promise<void> =>
  change(ctx, { name: 'chatTexts', value, action: 'setting.chat-texts', facts: chatFacts })

const chatFacts = (languages: readonly ChatLanguage[]): ActivityFacts =>
  Object.fromEntries(
    languages.flatMap(({ name, texts }) =>
      CHAT_OCCASIONS.map((occasion) => [`${name}, ${OCCASION_NAMES[occasion]}`, texts[occasion]]),
    ),
  )

/**
 * Changes a plan as it is sold from now on. Accounts and running batches keep what they have. Null: as
 * the specification has it. Throws PASSWORD_NEEDED: prices are what customers pay.
 */
export const changePlan = (ctx: AdminCtx, name: PlanName, value: Plan | null): Promise<void> =>
  change(ctx, {
    name: `plan.${name}`,
    value,
    action: 'setting.plan',
    facts: planFacts,
    initial: DEFAULT_PLANS[name],
  })

/**
 * Gives all accounts that have a plan the providers of which their new orders come, and the units of a video,
 * as the plan is sold now. Returns how many it changed. Running batches keep theirs. Throws PASSWORD_NEEDED.
 */
export async function giveRoute(ctx: AdminCtx, plan: PlanName): Promise<number> {
  requireProofOf(ctx, 'setting.plan-route')
  return ctx.db.transaction(async (tx) => {
    const { route, clipUnits } = (await getPlans(tx))[plan]
    const count = await tx.run(sql`
      update users set route = ${route}, clip_units = ${clipUnits}
      where plan = ${plan}::plan_name and (route <> ${route} or clip_units <> ${clipUnits})`)
    if (count > 0)
      await logActivity(tx, ctx, {
        action: 'setting.plan-route',
        after: { plan, route, clipUnits },
        count,
      })
    return count
  })
}

const planFacts = ({ pace, extras, ...plain }: Plan): ActivityFacts => ({
  ...plain,
  videosPerRound: pace.videos,
  delaySeconds: pace.delaySeconds,
  extras: extras.join(', '),
})

/**
 * Changes what one video costs the operator, from which the overview has the margin. Null: unknown, and
 * no margin is shown.
 */
export const changeVideoCosts = (ctx: AdminCtx, value: VideoCosts | null): Promise<void> =>
  change(ctx, {
    name: 'videoCost',
    value,
    action: 'setting.video-cost',
    facts: ({ others, ...cost }) => ({
      cost: moneyText(cost),
      ...Object.fromEntries(
        Object.entries(others).map(([name, amount]) => [name, moneyText({ ...cost, amount })]),
      ),
    }),
  })

/** Changes when the amounts of codes that are made from now on are income. Earlier ones keep theirs. */
export const changeCodeIncome = (ctx: AdminCtx, value: CodeIncome): Promise<void> =>
  change(ctx, {
    name: 'codeIncome',
    value,
    action: 'setting.code-income',
    facts: (when) => ({ when }),
    initial: 'used',
  })

/**
 * Changes what a referral brings; null: nothing, and nobody sees an invite link. It applies to first payments
 * from then on. Throws PASSWORD_NEEDED: it gives time away.
 */
export const changeReferral = (ctx: AdminCtx, value: Referral | null): Promise<void> =>
  change(ctx, { name: 'referral', value, action: 'setting.referral', facts: (all) => all })

/** Marks a step of the set-up as done, or as not done, which only a person can know. */
export async function markSetup(ctx: AdminCtx, step: ByHand, isDone: boolean): Promise<void> {
  const { marked } = (await readSetting(ctx.db, 'setup')) ?? { marked: [] }
  const others = marked.filter((name) => name !== step)
  await change(ctx, {
    name: 'setup',
    value: { marked: isDone ? [...others, step] : others },
    action: 'setting.setup',
    facts: (value) => ({ marked: value.marked.join(', ') }),
  })
}
