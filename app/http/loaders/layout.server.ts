import { findDailyPrompt } from '~/domain/prompts/daily.server'
import type { DailyPrompt } from '~/domain/prompts/types'
import type { UserView } from '~/domain/accounts/types'
import { getUserWithQuota } from '~/domain/quota/user-view.server'
import { readSidebarCollapsed } from '../session/cookies.server'
import type { SignedInArgs } from '../session/guards.server'
import { webCookies } from '../session/toast.server'

/** What the frame around every signed-in page shows. */
export type LayoutData = {
  user: UserView
  /** Videos the user may make today: the daily limit and what an administrator gave for the day. */
  todayLimit: number
  /** Videos the user's daily limit allows in the whole month. */
  monthLimit: number
  dailyPrompt: DailyPrompt | null
  isCollapsed: boolean
}

/** The frame of a signed-in page, for the loader of a layout. */
export async function loadLayout({ ctx }: SignedInArgs, request: Request): Promise<LayoutData> {
  const [{ user, quota }, dailyPrompt, isCollapsed] = await Promise.all([
    getUserWithQuota(ctx, ctx.actor.id),
    findDailyPrompt(ctx),
    readSidebarCollapsed(webCookies(), request.headers.get('cookie')),
  ])
  const monthLimit = user.videoLimit * quota.daysInMonth
  return { user, todayLimit: quota.limit, monthLimit, dailyPrompt, isCollapsed }
}
