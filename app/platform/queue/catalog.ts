import { z } from 'zod'

const attempt = z.object({ attemptId: z.string().uuid() })
/**
 * Jobs that result from one order carry the id of the request that placed it. Jobs of an attempt do
 * not: any process may add their wake-up, so the request id is read from the video's row.
 */
const ordered = z.object({ requestId: z.string().optional() })
const batch = ordered.extend({ batchId: z.string().uuid() })

/**
 * All background jobs by name, with their payloads: ids only, never text or tokens. Our own tables
 * decide what is due; a job only says that it is time to look.
 */
export const jobCatalog = {
  /** Creates attempts for ready videos in the line, up to the caps. */
  'videos.dispatch': z.object({}),
  /** Sends one attempt's order to the provider. */
  'videos.submit': attempt,
  /** Requests the status of one order from the provider. */
  'videos.poll': attempt,
  /** Copies the finished clip into our storage. */
  'videos.fetch': attempt,
  /** Looks with the provider for an order whose response was lost. */
  'videos.recover': attempt,
  /** Releases a batch's next round when it is due; `roundNo` is the number of earlier rounds. */
  'batches.round': batch.extend({ roundNo: z.number().int() }),
  /** Gives carried prompts of a batch the units of a new day. */
  'batches.carry': batch,
  /**
   * Collects the videos for a regeneration of all videos, in chunks; `from` is where it continues.
   */
  'batches.gather': batch.extend({ from: z.string().uuid() }),
  /** The same for the videos that a filter finds. */
  'batches.gather-found': batch.extend({ from: z.string().uuid() }),
  /** Checks an order again that was given up at its deadline. */
  'videos.check-late': attempt,
  /** Releases held entries of the line whose reason no longer applies. */
  'videos.wake': z.object({ reason: z.string() }),
  /** Releases held entries after an account's gate was opened. */
  'videos.gate-opened': z.object({}),
  /** Removes the files of a deleted video, or of a film after its hour. */
  'videos.purge': z.object({ keys: z.array(z.string()) }),
  /** Makes the next prompt the daily prompt when the day is over. */
  'prompts.rotate': z.object({}).passthrough(),
  /** Cancels the unsent videos of a stopped regeneration, in chunks. */
  'batches.take-back': batch,
  /** Hands one event to its listeners. */
  'events.hear': z.object({ eventId: z.string().uuid() }),
  /** Decides what administrators are told. */
  'alarms.watch': z.object({}).passthrough(),
  /** Sends them the next alarm that is due by one channel. */
  'alarms.send': z.object({ channel: z.enum(['webhook', 'telegram', 'email']) }),
  /** Sends a user the next message that is due by one channel. */
  'notifications.send': z.object({
    userId: z.string().uuid(),
    channel: z.enum(['email', 'webhook', 'push']),
  }),
  /** Runs the next step of a mass change; `turn` is the number of earlier steps. */
  'videos.change-many': ordered.extend({ changeId: z.string().uuid(), turn: z.number().int() }),
  /** The same for the videos that more than a state finds. */
  'videos.change-found': ordered.extend({ changeId: z.string().uuid(), turn: z.number().int() }),
  /** Purges users and videos that have been in the trash long enough. */
  'videos.purge-trash': z.object({}).passthrough(),
  /** Removes rows past their retention time, a limited number per transaction. */
  'system.remove-old': z.object({}).passthrough(),
  /** Moves the videos of deleted users to the trash, in chunks. */
  'users.clear': z.object({}),
  /** Checks the invariants and records what it finds. */
  'system.check': z.object({}).passthrough(),
  /** Repairs the line and rounds after a crash. */
  'system.sweep': z.object({}).passthrough(),
} as const satisfies Record<string, z.ZodTypeAny>

export type JobName = keyof typeof jobCatalog
export type JobPayload<Name extends JobName> = z.output<(typeof jobCatalog)[Name]>

/** Returns the request id in a job's payload, or undefined. */
export function requestOf(payload: object): string | undefined {
  const parsed = ordered.safeParse(payload)
  return parsed.success ? parsed.data.requestId : undefined
}

/**
 * Returns the job key for a payload, or null. An attempt has one wake-up: adding another
 * replaces the one that is waiting. Adding it twice has the same effect as adding it once.
 */
export function jobKey(payload: object): string | null {
  return 'attemptId' in payload ? `attempt:${String(payload.attemptId)}` : null
}

/** The schema of graphile-worker's tables. */
export const QUEUE_SCHEMA = 'graphile_worker'
