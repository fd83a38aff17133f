import { getNotices } from '~/domain/business/settings.server'
import type { Notices } from '~/domain/business/types'
import { findDailyPrompt } from '~/domain/prompts/daily.server'
import type { DailyPrompt } from '~/domain/prompts/types'
import type { UserView } from '~/domain/accounts/types'
import { getUserWithQuota } from '~/domain/quota/user-view.server'
import type { Level } from '~/domain/health/types'
import { readSystemLevel } from './system-level.server'
import { readSidebarCollapsed } from '../session/cookies.server'
import type { SignedInArgs } from '../session/guards.server'
import { webCookies } from '../session/toast.server'

/** What the frame around every signed-in page shows. */
export type LayoutData = {
  user: UserView
  /**
   * Number of videos the user may make today: the daily limit plus an administrator's gift for the
   * day.
   */
  todayLimit: number
  /** Number of videos that the user's daily limit allows in the whole month. */
  monthLimit: number
  dailyPrompt: DailyPrompt | null
  notices: Notices
  isCollapsed: boolean
  /** For administrators: the worst level of the System page. */
  systemLevel: Level
}

/** Loads the frame of a signed-in page, for the loader of a layout. */
export async function loadLayout({ ctx }: SignedInArgs, request: Request): Promise<LayoutData> {
  const [{ user, quota }, dailyPrompt, notices, isCollapsed] = await Promise.all([
    getUserWithQuota(ctx, ctx.actor.id),
    findDailyPrompt(ctx),
    getNotices(ctx),
    readSidebarCollapsed(webCookies(), request.headers.get('cookie')),
  ])
  const monthLimit = user.videoLimit * quota.daysInMonth
  const systemLevel = user.role === 'admin' ? readSystemLevel(ctx) : 'ok'
  return {
    user,
    todayLimit: quota.limit,
    monthLimit,
    dailyPrompt,
    notices,
    isCollapsed,
    systemLevel,
  }
}
