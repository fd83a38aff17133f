import type { TaskList } from 'graphile-worker'
import type { JobName } from '~/platform/queue/catalog'
import type { Task, WorkerScope } from './task'
import { dispatchVideos } from './tasks/dispatch-videos'
import { fetchVideos } from './tasks/fetch-videos'
import { pollVideos } from './tasks/poll-videos'
import { purgeVideos } from './tasks/purge-videos'
import { recoverVideos } from './tasks/recover-videos'
import { submitVideos } from './tasks/submit-videos'
import { sweep } from './tasks/sweep'

/** Every job of the catalogue has its task, or this does not compile. */
const tasks = {
  'videos.dispatch': dispatchVideos,
  'videos.submit': submitVideos,
  'videos.poll': pollVideos,
  'videos.fetch': fetchVideos,
  'videos.recover': recoverVideos,
  'videos.purge': purgeVideos,
  'system.sweep': sweep,
} as const satisfies Record<JobName, Task>

/** The tasks as graphile-worker takes them, bound to one worker process. */
export function bindTasks(scope: WorkerScope): TaskList {
  return Object.fromEntries(Object.entries(tasks).map(([name, bind]) => [name, bind(scope)]))
}
