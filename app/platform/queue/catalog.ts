import { z } from 'zod'

const attempt = z.object({ attemptId: z.string().uuid() })
/**
 * Work of one order carries the id of the request that gave it, through all its jobs. An attempt's is
 * in its video's row: its job may be added by anybody.
 */
const ordered = z.object({ requestId: z.string().optional() })
const batch = ordered.extend({ batchId: z.string().uuid() })

/**
 * Every background job by name, with the payload it carries: ids only, never text or tokens. What
 * is due is decided by our own tables; a job is the wake-up call.
 */
export const jobCatalog = {
  /** Sends off what waits in the line, as far as the caps allow. */
  'videos.dispatch': z.object({}),
  /** Sends one attempt's order to the provider. */
  'videos.submit': attempt,
  /** Asks how one order is doing. */
  'videos.poll': attempt,
  /** Copies the finished clip into our storage. */
  'videos.fetch': attempt,
  /** Looks for an order whose answer was lost. */
  'videos.recover': attempt,
  /** Sends off a batch's next round when its time has come; `roundNo` is how many have gone before. */
  'batches.round': batch.extend({ roundNo: z.number().int() }),
  /** Finds the videos of a regeneration of everything, some at a time; `from` is where it continues. */
  'batches.gather': batch.extend({ from: z.string().uuid() }),
  /** Looks once more at an order that was given up at its deadline. */
  'videos.check-late': attempt,
  /** Releases what was held for a reason that is gone. */
  'videos.wake': z.object({ reason: z.string() }),
  /** Removes a deleted video's files. */
  'videos.purge': z.object({ keys: z.array(z.string()) }),
  /** Gives the next daily prompt its turn when the day is over. */
  'prompts.rotate': z.object({}).passthrough(),
  /** Cancels what a stopped regeneration has not sent, some at a time. */
  'batches.take-back': batch,
  /** Takes the next step of deleting or restoring many videos; `turn` is how many went before. */
  'videos.change-many': ordered.extend({ changeId: z.string().uuid(), turn: z.number().int() }),
  /** Removes for good what has lain in the trash for its days. */
  'videos.purge-trash': z.object({}).passthrough(),
  /** Removes what is older than it is kept for, some rows a transaction. */
  'system.remove-old': z.object({}).passthrough(),
  /** Puts the videos of deleted users into the trash, some at a time. */
  'users.clear': z.object({}),
  /** Checks the invariants and records what it finds. */
  'system.check': z.object({}).passthrough(),
  /** Mends what a crash left behind. */
  'system.sweep': z.object({}).passthrough(),
} as const satisfies Record<string, z.ZodTypeAny>

export type JobName = keyof typeof jobCatalog
export type JobPayload<Name extends JobName> = z.output<(typeof jobCatalog)[Name]>

/** The request that a job's payload names, if any. */
export function requestOf(payload: object): string | undefined {
  const parsed = ordered.safeParse(payload)
  return parsed.success ? parsed.data.requestId : undefined
}

/**
 * The key under which a job waits, or null. An attempt has one wake-up: asking for another one
 * replaces it, so that asking twice is asking once.
 */
export function jobKey(payload: object): string | null {
  return 'attemptId' in payload ? `attempt:${String(payload.attemptId)}` : null
}

/** Where graphile-worker keeps its tables. */
export const QUEUE_SCHEMA = 'graphile_worker'
