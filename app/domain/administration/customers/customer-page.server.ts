import { listDevicesOf } from '../../accounts/known-devices.server'
import { readReferralsOf } from '../../accounts/referrals.server'
import { hasSecondFactor } from '../../accounts/second-factor.server'
import { listActivityOf } from '../../activity/list.server'
import { getChatTexts } from '../../business/settings.server'
import type { AdminCtx } from '../../context'
import { getQuota } from '../../quota/queries.server'
import { findTokenOf } from '~/domain/tokens/token-desk.server'
import { getAllVideosCounts } from '../../videos/admin/all-videos-counts.server'
import { listVideosOf, type UserVideosQuery } from '../../videos/admin/user-videos.server'
import { listHolds } from '../../videos/gallery/progress.server'
import { getCustomerKeys } from '../api-keys.server'
import { listUnpaid } from '../changes/sold-acts.server'
import { chatNumberOf, getCustomerCard } from './customer-card.server'
import { deskRowOf } from './desk.server'
import type { ListedUser } from '../types'
import { countFailedSignIns } from '../users/unlock-user.server'

/** What the page of a customer shows. */
export type CustomerView = Awaited<ReturnType<typeof getCustomerPage>>

/** Returns all that the page of a customer shows. */
export async function getCustomerPage(ctx: AdminCtx, user: ListedUser, query: UserVideosQuery) {
  const { id, videoLimit: limit } = user
  const { timeZone, phoneCountries } = ctx.settings
  const [
    row,
    card,
    quota,
    key,
    counts,
    holds,
    videos,
    entries,
    hasFactor,
    failedSignIns,
    texts,
    others,
  ] = await Promise.all([
    deskRowOf(ctx, user),
    getCustomerCard(ctx.db, id),
    getQuota(ctx.db, { userId: id, limit, timeZone }),
    findTokenOf(ctx, id),
    getAllVideosCounts(ctx, { search: '', user: id }),
    listHolds(ctx, id),
    listVideosOf(ctx, id, query),
    listActivityOf(ctx, id),
    hasSecondFactor(ctx.db, id),
    countFailedSignIns(ctx, id),
    getChatTexts(ctx),
    readOthers(ctx, user),
  ])
  return {
    user: row,
    card,
    quota,
    key,
    counts,
    holds,
    ...videos,
    entries,
    hasSecondFactor: hasFactor,
    failedSignIns,
    ...others,
    languages: texts.map(({ name }) => name),
    hasChat: chatNumberOf(user, phoneCountries) !== null,
  }
}

/** Returns what else the account has. */
async function readOthers(ctx: AdminCtx, user: ListedUser) {
  const [apiKeys, unpaid, devices, referrals] = await Promise.all([
    getCustomerKeys(ctx, user),
    listUnpaid(ctx.db, { userId: user.id }),
    listDevicesOf(ctx.db, user),
    readReferralsOf(ctx.db, user.id),
  ])
  return { apiKeys, unpaid, devices, referrals }
}
