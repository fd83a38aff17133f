import type { TaskList } from 'graphile-worker'
import { watchAlarms } from '~/domain/alarms/watch.server'
import { checkInvariants } from '~/domain/health/check-invariants.server'
import { noteLoad } from '~/domain/administration/overview/note-load.server'
import { clearTrashed } from '~/domain/administration/users/clear-trashed.server'
import { purgeTrashedUsers } from '~/domain/administration/users/user-trash.server'
import { carryOver } from '~/domain/batches/carry-over.server'
import { takeBackUnsent } from '~/domain/batches/cancel-regeneration.server'
import { fireDueRound } from '~/domain/batches/fire-round.server'
import { gatherVideos } from '~/domain/batches/regenerate-as-admin.server'
import { sweepBatches } from '~/domain/batches/sweep-batches.server'
import { hearEvent, sweepEvents } from '~/domain/events/hear.server'
import {
  sendNotification,
  sweepNotifications,
} from '~/domain/notifications/send-notification.server'
import { remindCustomers } from '~/domain/notifications/reminders.server'
import { rotateDailyPrompt } from '~/domain/prompts/current.server'
import { removeOld } from '~/domain/retention/remove-old.server'
import { forgetRemovedTokens } from '~/domain/tokens/remove-tokens.server'
import { checkLate } from '~/domain/videos/engine/check-late.server'
import { keptClips } from '~/domain/videos/engine/clip-file.server'
import type { EngineCtx } from '~/domain/videos/engine/context'
import { dispatchWaiting } from '~/domain/videos/engine/dispatch.server'
import { fetchAttempt } from '~/domain/videos/engine/fetch.server'
import { releaseHeldForGates, wakeHeld } from '~/domain/videos/engine/held.server'
import { pollAttempt } from '~/domain/videos/engine/poll.server'
import { removeUnusedFiles } from '~/domain/videos/engine/remove-unused-files.server'
import { recoverAttempt } from '~/domain/videos/engine/recover.server'
import { submitAttempt } from '~/domain/videos/engine/submit.server'
import { sweep } from '~/domain/videos/engine/sweep.server'
import { continueMassChange } from '~/domain/videos/admin/mass-change.server'
import { purgeTrash } from '~/domain/videos/requests/trash.server'
import { days, hours } from '~/lib/time'
import type { JobName } from '~/platform/queue/catalog'
import { oneAtATime, task, type Task, type WorkerScope } from './task'

// Tasks that wait for different things run in separate runners, so that an order never waits behind
// a slow download, nor a round behind either.

/** Releases rounds. These jobs sleep until the exact time of the round. */
export const roundTasks = {
  'batches.round': task('batches.round', fireDueRound),
} as const satisfies Partial<Record<JobName, Task>>

/** From the waiting line to the provider. */
export const orderTasks = {
  'videos.dispatch': oneAtATime(task('videos.dispatch', dispatchWaiting)),
  'videos.submit': task('videos.submit', (ctx, job) => submitAttempt(ctx, job.attemptId)),
} as const satisfies Partial<Record<JobName, Task>>

/** Polls and look-ups of orders at the provider. */
export const pollTasks = {
  'videos.poll': task('videos.poll', (ctx, job) => pollAttempt(ctx, job.attemptId)),
  'videos.recover': task('videos.recover', (ctx, job) => recoverAttempt(ctx, job.attemptId)),
  'videos.check-late': task('videos.check-late', (ctx, job) => checkLate(ctx, job.attemptId)),
} as const satisfies Partial<Record<JobName, Task>>

/** Downloads of clips into our storage. */
export const clipTasks = {
  'videos.fetch': task('videos.fetch', (ctx, job) => fetchAttempt(ctx, job.attemptId)),
} as const satisfies Partial<Record<JobName, Task>>

/** Alarms, which wait for no user's receiver. */
export const alarmTasks = {
  'alarms.send': task('alarms.send', (ctx, { channel }) =>
    sendNotification(ctx, { userId: null, channel }),
  ),
} as const satisfies Partial<Record<JobName, Task>>

/** Messages to users. Their receivers may be slow or dead, so that these jobs wait for nothing else. */
export const notificationTasks = {
  'notifications.send': task('notifications.send', sendNotification),
} as const satisfies Partial<Record<JobName, Task>>

/** Work on our own tables and files, without the provider. */
export const maintenanceTasks = {
  'batches.carry': task('batches.carry', carryOver),
  'batches.gather': task('batches.gather', gatherVideos),
  'batches.gather-found': task('batches.gather-found', gatherVideos),
  'batches.take-back': task('batches.take-back', takeBackUnsent),
  'events.hear': task('events.hear', hearEvent),
  'alarms.watch': oneAtATime(task('alarms.watch', watchAlarms)),
  'videos.wake': task('videos.wake', (ctx, job) => wakeHeld(ctx, job.reason)),
  'videos.gate-opened': task('videos.gate-opened', (ctx) => releaseHeldForGates(ctx)),
  'videos.purge': task('videos.purge', (ctx, job) => removeUnusedFiles(ctx, job.keys)),
  'videos.purge-trash': task('videos.purge-trash', emptyTrash),
  'videos.change-many': task('videos.change-many', continueMassChange),
  'videos.change-found': task('videos.change-found', continueMassChange),
  'users.clear': task('users.clear', (ctx) => clearTrashed(ctx)),
  'prompts.rotate': task('prompts.rotate', rotateDailyPrompt),
  'system.check': task('system.check', look),
  'system.sweep': task('system.sweep', sweepAll),
  'system.remove-old': oneAtATime(task('system.remove-old', (ctx) => removeOld(ctx, ctx.signal))),
} as const satisfies Partial<Record<JobName, Task>>

/** All tasks. Does not compile unless every job of the catalogue has a task. */
export const allTasks = {
  ...roundTasks,
  ...orderTasks,
  ...pollTasks,
  ...clipTasks,
  ...alarmTasks,
  ...notificationTasks,
  ...maintenanceTasks,
} as const satisfies Record<JobName, Task>

/** Returns tasks in graphile-worker's form, bound to a worker's scope. */
export function bindTasks(tasks: Partial<Record<JobName, Task>>, scope: WorkerScope): TaskList {
  return Object.fromEntries(Object.entries(tasks).map(([name, bind]) => [name, bind(scope)]))
}

async function look(ctx: EngineCtx): Promise<void> {
  await noteLoad(ctx)
  await checkInvariants(ctx)
}

async function emptyTrash(ctx: EngineCtx): Promise<void> {
  const count = await purgeTrash(ctx)
  if (count > 0) ctx.log.info({ count }, 'purged expired trash')
}

async function sweepAll(ctx: EngineCtx): Promise<void> {
  await sweep(ctx)
  await sweepBatches(ctx)
  await sweepEvents(ctx)
  await sweepNotifications(ctx)
  await remindCustomers(ctx)
  await purgeTrashedUsers(ctx)
  await forgetRemovedTokens(ctx)
  await ctx.storage.removeOldScratch(hours(1), await keptClips(ctx))
  await ctx.provider.tidy?.(days(1))
}
