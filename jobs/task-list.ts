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

/**
 * Rounds have a runner of their own: they sleep to their exact moment, and no download may stand in
 * their way.
 */
export const paceTasks = {
  'batches.round': runBatchRound,
} as const satisfies Partial<Record<JobName, Task>>

export const workTasks = {
  'batches.gather': gatherBatch,
  'videos.dispatch': dispatchVideos,
  'videos.submit': submitVideos,
  'videos.poll': pollVideos,
  'videos.fetch': fetchVideos,
  'videos.recover': recoverVideos,
  'videos.check-late': checkLateVideos,
  'videos.wake': wakeVideos,
  'videos.purge': purgeVideos,
  'prompts.rotate': rotatePrompts,
  'videos.purge-trash': purgeTrashTask,
  'batches.take-back': takeBackBatch,
  'videos.change-many': changeManyVideos,
  'users.clear': clearUsers,
  'system.check': checkInvariantsTask,
  'system.sweep': sweep,
} as const satisfies Partial<Record<JobName, Task>>

/** Every job of the catalogue has its task, or this does not compile. */
export const allTasks = { ...paceTasks, ...workTasks } as const satisfies Record<JobName, Task>

/** Tasks as graphile-worker takes them, bound to one runner. */
export function bindTasks(tasks: Partial<Record<JobName, Task>>, scope: WorkerScope): TaskList {
  return Object.fromEntries(Object.entries(tasks).map(([name, bind]) => [name, bind(scope)]))
}
