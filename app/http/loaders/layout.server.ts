import { getFrameSettings } from '~/domain/business/settings.server'
import type { Notices } from '~/domain/business/types'
import { findDailyPrompt } from '~/domain/prompts/daily.server'
import type { DailyPrompt } from '~/domain/prompts/types'
import { endsWhen, mayUseApi, standing, type Standing } from '~/domain/accounts/rules'
import type { UserView } from '~/domain/accounts/types'
import type { QuotaView } from '~/domain/quota/types'
import { getUserWithQuota } from '~/domain/quota/user-view.server'
import type { Level } from '~/domain/health/types'
import { adminMenu, helperMenu, SETUP_ROW } from './menus.server'
import { readSidebarCollapsed } from '../session/cookies.server'
import type { SignedInArgs } from '../session/guards.server'
import { webCookies } from '../session/toast.server'
import { findingsOf } from '~/domain/health/findings'
import { getSetup } from '~/domain/health/setup.server'
import { getSystemFacts } from '~/domain/health/status.server'
import type { Deps } from '~/domain/context'
import { days, seconds } from '~/lib/time'

/** What the frame around every signed-in page shows. */
export type LayoutData = {
  user: UserView
  standing: Standing
  /** What ends, and when it does, as in 'in 3 days'; null: it has ended, or never does. */
  planEnd: { noun: 'plan' | 'trial'; when: string | null }
  /** The account is new and has made no video yet. */
  isBeginning: boolean
  mayUseApi: boolean
  /** Whether any kind of notification is offered. */
  hasNotifications: boolean
  /** Today's quota when the page was loaded. */
  quota: QuotaView
  /** Number of videos that the user's daily limit allows in the whole month. */
  monthLimit: number
  /** The operator's number in the chat app. */
  chatNumber: string
  /** Whether the user has an invite link. */
  mayInvite: boolean
  dailyPrompt: DailyPrompt | null
  notices: Notices
  isCollapsed: boolean
  /** The rows of an editor's menu. */
  helperRows: ReturnType<typeof helperMenu>
  /** The menu of an administrator; empty for others. */
  adminGroups: ReturnType<typeof adminMenu>
  /** For administrators: the worst level of the System page. */
  systemLevel: Level
  /** The row of the set-up while something of it is missing. */
  setupRows: (typeof SETUP_ROW)[]
}

/** Loads the frame of a signed-in page, for the loader of a layout. */
export async function loadLayout(
  { ctx, account, now, rights }: SignedInArgs,
  request: Request,
): Promise<LayoutData> {
  const [{ user, quota, isOnTrial }, dailyPrompt, frame, isCollapsed] = await Promise.all([
    getUserWithQuota(ctx, ctx.actor.id),
    findDailyPrompt(ctx),
    getFrameSettings(ctx),
    readSidebarCollapsed(webCookies(), request.headers.get('cookie')),
  ])
  const monthLimit = user.videoLimit * quota.daysInMonth
  const { level: systemLevel, isSetUp } = user.role === 'admin' ? readSystem(ctx) : IN_ORDER
  return {
    user,
    standing: standing(account, now),
    planEnd: {
      noun: isOnTrial ? 'trial' : 'plan',
      when: account.expiryDate && endsWhen(account.expiryDate, now, ctx.settings.timeZone),
    },
    isBeginning:
      user.videosGeneratedThisMonth === 0 &&
      now.getTime() - Date.parse(user.createdAt) < NEW_FOR_MS,
    mayUseApi: mayUseApi(account),
    hasNotifications: Object.values(ctx.settings.notifications).includes(true),
    quota,
    monthLimit,
    dailyPrompt,
    ...frame,
    isCollapsed,
    helperRows: helperMenu(user.role === 'editor' ? rights : []),
    adminGroups: user.role === 'admin' ? adminMenu() : [],
    systemLevel,
    setupRows: isSetUp ? [] : [SETUP_ROW],
  }
}

const FRESH_MS = seconds(20)
const NEW_FOR_MS = days(7)

const IN_ORDER = { level: 'ok', isSetUp: true } as const satisfies System
type System = { level: Level; isSetUp: boolean }

let last: System & { at: number } = { ...IN_ORDER, at: -Infinity }
let isLooking = false

/**
 * Returns the worst level of the System page and whether all is set up, for the menu of every
 * administrator's page. It waits for nothing: it is the result of the last look, and starts another one if that is old.
 */
function readSystem(deps: Deps): System {
  if (!isLooking && Date.now() - last.at > FRESH_MS) void look(deps)
  return last
}

async function look(deps: Deps): Promise<void> {
  isLooking = true
  try {
    const [facts, steps] = await Promise.all([getSystemFacts(deps), getSetup(deps)])
    const [worst] = findingsOf(facts)
    const isSetUp = steps.every(({ isDone }) => isDone)
    last = { level: worst?.level ?? 'ok', isSetUp, at: Date.now() }
  } catch (error) {
    deps.log.warn({ err: error }, 'the state of the system could not be read')
  } finally {
    isLooking = false
  }
}
