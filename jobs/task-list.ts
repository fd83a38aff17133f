import type { TaskList } from 'graphile-worker'
import type { JobName } from '~/platform/queue/catalog'
import type { Task, WorkerScope } from './task'
import { changeManyVideos } from './tasks/change-many-videos'
import { checkInvariantsTask } from './tasks/check-invariants'
import { checkLateVideos } from './tasks/check-late-videos'
import { clearUsers } from './tasks/clear-users'
import { dispatchVideos } from './tasks/dispatch-videos'
import { fetchVideos } from './tasks/fetch-videos'
import { gatherBatch } from './tasks/gather-batch'
import { pollVideos } from './tasks/poll-videos'
import { purgeTrashTask } from './tasks/purge-trash'
import { purgeVideos } from './tasks/purge-videos'
import { recoverVideos } from './tasks/recover-videos'
import { rotatePrompts } from './tasks/rotate-prompts'
import { runBatchRound } from './tasks/run-batch-round'
import { submitVideos } from './tasks/submit-videos'
import { sweep } from './tasks/sweep'
import { takeBackBatch } from './tasks/take-back-batch'
import { wakeVideos } from './tasks/wake-videos'

// Tasks that wait for different things have runners of their own: an order does not stand behind a
// slow download, nor a round behind either.

/** Rounds sleep to their exact moment. */
export const paceTasks = {
  'batches.round': runBatchRound,
} as const satisfies Partial<Record<JobName, Task>>

/** From the waiting line to the provider. */
export const orderTasks = {
  'videos.dispatch': dispatchVideos,
  'videos.submit': submitVideos,
} as const satisfies Partial<Record<JobName, Task>>

/** Questions about orders that the provider has. */
export const questionTasks = {
  'videos.poll': pollVideos,
  'videos.recover': recoverVideos,
  'videos.check-late': checkLateVideos,
} as const satisfies Partial<Record<JobName, Task>>

/** Clips on their way into the storage. */
export const clipTasks = {
  'videos.fetch': fetchVideos,
} as const satisfies Partial<Record<JobName, Task>>

/** What has to do with our own tables and files only. */
export const houseTasks = {
  'batches.gather': gatherBatch,
  'batches.take-back': takeBackBatch,
  'videos.wake': wakeVideos,
  'videos.purge': purgeVideos,
  'videos.purge-trash': purgeTrashTask,
  'videos.change-many': changeManyVideos,
  'users.clear': clearUsers,
  'prompts.rotate': rotatePrompts,
  'system.check': checkInvariantsTask,
  'system.sweep': sweep,
} as const satisfies Partial<Record<JobName, Task>>

/** Every job of the catalogue has its task, or this does not compile. */
export const allTasks = {
  ...paceTasks,
  ...orderTasks,
  ...questionTasks,
  ...clipTasks,
  ...houseTasks,
} as const satisfies Record<JobName, Task>

/** Tasks as graphile-worker takes them, bound to one runner. */
export function bindTasks(tasks: Partial<Record<JobName, Task>>, scope: WorkerScope): TaskList {
  return Object.fromEntries(Object.entries(tasks).map(([name, bind]) => [name, bind(scope)]))
}
