import { z } from 'zod'
import { eachText } from '~/domain/videos/order-fields'
import { ASPECT_RATIOS, type VideoCounts } from '~/domain/videos/types'
import { FAILURE_TEXT } from '~/domain/videos/rules'
import { eitherOf } from '~/lib/text'
import type { ManagedUser } from '~/domain/administration/types'
import { USER_ROLES } from '~/domain/context'
import { PLAN_NAMES } from '~/domain/plans/types'

// Schemas of the answers. The compiler checks them against what the commands return, and a test against
// what is sent; the documents are made from them.

const id = z.string().uuid()
const time = z.string().datetime()
const count = z.number().int()

export const done = z.object({ success: z.boolean() })
export const counted = z.object({ count })
export const doneAndCounted = done.extend({ count })
export const messageAndCount = z.object({ message: z.string(), count })
export const accepted = z.object({ id })
export const shareLink = z.object({
  url: z.string(),
  expiresAt: time.nullable().describe('null: until it is ended'),
})

export const signedIn = z.object({
  username: z.string(),
  role: z.enum(USER_ROLES),
  notice: z.string().optional().describe('which devices were signed out, if the plan limits them'),
})

export const user = z.object({
  id,
  username: z.string(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  role: z.enum(USER_ROLES),
  plan: z.enum(PLAN_NAMES).nullable(),
  isActive: z.boolean(),
  expiryDate: time.nullable().describe('null: never'),
  daysLeft: count.nullable().describe('whole days, rounded up; negative: expired'),
  videoLimit: count.describe('per day'),
  speedLimit: count.describe('videos per round'),
  videoGenerationSpeed: count.describe('seconds between rounds'),
  videosGeneratedToday: count,
  videosGeneratedThisMonth: count,
  createdAt: time,
})
/** A user as administrators see it. */
export const managedUser = user.extend({
  tokenMasked: z.string().nullable().describe("the user's own provider token, masked"),
}) satisfies z.ZodType<ManagedUser>
export const notes = z.array(z.string()).optional()

export const video = z.object({
  id,
  prompt: z.string(),
  ...eachText(() => z.string().nullable()),
  name: z.string().nullable().describe('what its owner calls it; its files are named after it'),
  aspectRatio: z.enum(ASPECT_RATIOS),
  status: z.enum(['pending', 'generating', 'completed', 'error']),
  model: z.string(),
  videoUrl: z.string().nullable().describe('a path under /media'),
  thumbnailUrl: z.string().nullable().describe('a path under /media'),
  errorMessage: z
    .string()
    .nullable()
    .describe('of a completed video: its last regeneration failed, and the earlier clip is kept'),
  errorCode: z
    .string()
    .nullable()
    .describe(eitherOf(Object.keys(FAILURE_TEXT))),
  regenerateCount: count,
  regeneratedByAdmin: z.boolean(),
  starred: z.boolean().describe('its owner keeps it: deleting many leaves it, and so does its age'),
  batchId: id
    .nullable()
    .describe('the batch of its prompt, also after others have ordered it again'),
  createdAt: time,
  completedAt: time.nullable(),
  user: z.object({ username: z.string() }),
})
export const trashedVideo = video.extend({ deletedAt: time, goneAt: time })

const inLine = z.object({ place: count, startEstimate: time.nullable() })
const carried = z.object({
  prompts: count,
  until: time.nullable().describe('when they are looked at next; null while the batch is in line'),
  day: count.describe("which of the batch's days that is, from 1"),
  days: count,
  perDay: count,
  beyondPlan: z
    .object({ prompts: count, planEnd: time })
    .nullable()
    .describe("those that the plan's end leaves waiting for a renewal"),
  isStopped: z.boolean().describe('the plan has ended: they wait for a renewal'),
})
const batchFacts = z.object({
  id,
  name: z.string(),
  kind: z.enum(['bulk', 'retry', 'regeneration']),
  status: z.enum(['queued', 'processing', 'completed', 'cancelled']).describe('queued: in line'),
  totalVideos: count,
  isPaused: z.boolean(),
  carried: carried.nullable().describe('prompts that wait for later days, without a quota unit'),
  inLine: inLine.nullable(),
  createdAt: time,
})
export const batch = batchFacts.extend({
  completedVideos: count,
  failedVideos: count.describe('failed, cancelled and deleted ones'),
  speedLimit: count,
  delaySeconds: count,
  nextRoundAt: time.nullable(),
  finishEstimate: time.nullable(),
})
/** A batch with the states of its videos. */
export const batchStates = batchFacts.extend({
  finishedAt: time.nullable(),
  ready: count,
  inProgress: count,
  waiting: count.describe('of those in progress: not sent yet'),
  failed: count.describe('without the cancelled ones'),
  cancelled: count.describe('never sent'),
  gone: count.describe('deleted'),
  backInLine: z
    .enum(['free', 'full'])
    .nullable()
    .describe('of one that left the line: whether the line has a place for it'),
  chargedUnits: count.describe("what the batch's own deliveries have cost"),
  posters: z.array(id).describe('the first of its videos that have a poster'),
})
/** A batch in the list. */
export const listedBatch = batchStates.extend({
  firstPrompt: z.string().nullable().describe('its start, while there is no poster'),
})
/** A batch that was started. */
export const startedBatch = z.object({
  batchId: id,
  totalVideos: count,
  speedLimit: count,
  delaySeconds: count,
  finishEstimate: time.nullable().describe('null if the plan ends before'),
  carried: count.optional().describe('prompts that wait for later days'),
  place: count.optional().describe('in line, from 1'),
  startEstimate: time.nullable().optional(),
})
/** A batch of retries or regenerations. */
export const ordered = messageAndCount.extend({
  batchId: id.nullable().describe('null if there was nothing to order'),
})

const counts = z.object({
  total: count,
  completed: count,
  inProgress: count,
  failed: count.describe('tried and failed'),
  cancelled: count.describe('never sent'),
} satisfies Record<keyof VideoCounts, z.ZodTypeAny>)
const quota = z.object({
  limit: count,
  used: count,
  inProgress: count,
  remaining: count.describe('videos that can be ordered today'),
  clipUnits: count.describe('how many of the limit a video uses'),
  usedThisMonth: count,
  daysInMonth: count,
  resetsAt: time,
  timeZone: z.string(),
})
export const changes = z.object({
  version: count,
  videos: z.array(video),
  deletedIds: z.array(id),
  isShort: z.boolean().describe('there are more changes: repeat the call with this version'),
  counts: counts.extend({ portrait: counts, landscape: counts }),
  quota,
})
export const videoPage = z.object({
  videos: z.array(video),
  pagination: z.object({ page: count, limit: count, totalPages: count, totalCount: count }),
})
export const trashPage = z.object({
  videos: z.array(trashedVideo),
  next: z.string().nullable().describe('null on the last page'),
})
export const downloads = z.object({
  options: z.array(
    z.object({
      kind: z.enum(['all', 'filtered', 'today', 'yesterday', '7-days', 'range']),
      count,
      bytes: count,
      query: z.string().describe('of the archive'),
      first: z.string().optional(),
      last: z.string().optional(),
    }),
  ),
  fields: z.record(z.string()),
  range: z.object({ first: z.string(), last: z.string() }),
})

export const collection = z.object({ id, name: z.string() })

export const dailyPrompt = z.object({ id, text: z.string(), copyCount: count, skipCount: count })
/** A prompt of the library, as administrators see it. */
export const libraryPrompt = dailyPrompt.extend({ isCurrent: z.boolean(), createdAt: time })

export const poolToken = z.object({
  id,
  token: z.string().describe('masked'),
  name: z.string().describe('its label and last characters'),
  position: count,
  lastAssignedAt: time.nullable(),
  state: z.enum(['ok', 'cooling', 'spent', 'dead']).describe('spent: out of credits'),
  death: z.string().nullable().describe('refused or suspended'),
})

/** The body of every refusal. */
export const failure = z.object({
  error: z.string().describe('a message for the user'),
  code: z.string(),
  fields: z.record(z.array(z.string())).optional().describe('the errors of each field'),
  requestId: z.string(),
})

/** Answers that the documents name. */
export const NAMED = {
  User: user,
  ManagedUser: managedUser,
  Video: video,
  DeletedVideo: trashedVideo,
  Carried: carried,
  Batch: batch,
  BatchStates: batchStates,
  ListedBatch: listedBatch,
  StartedBatch: startedBatch,
  Counts: counts,
  Quota: quota,
  Changes: changes,
  Prompt: libraryPrompt,
  DailyPrompt: dailyPrompt,
  PoolToken: poolToken,
  Failure: failure,
}
