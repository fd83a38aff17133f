import type { AspectRatio, OrderFields } from '../videos/types'
import type { BeyondPlan } from './later-days'

export type BatchKind = 'bulk' | 'retry' | 'regeneration'

/** A queued one waits in line. */
export type BatchStatus = 'queued' | 'processing' | 'completed' | 'cancelled'

/** A batch as shown on pages and returned by API calls. */
export type BatchView = {
  id: string
  /** The name that the user gave it, or one from its time. */
  name: string
  kind: BatchKind
  status: BatchStatus
  totalVideos: number
  completedVideos: number
  /**
   * Failed, cancelled and deleted videos. Together with the completed ones they add up to the
   * total.
   */
  failedVideos: number
  speedLimit: number
  delaySeconds: number
  nextRoundAt: string | null
  /** Whether its owner has paused it. Nothing is sent until it is resumed. */
  isPaused: boolean
  /** Its prompts that wait for later days; null if there are none. */
  carried: Carried | null
  /** Its place in line; null if it does not wait there. */
  inLine: InLine | null
  /** When the last video is expected to be finished; null if none will be. */
  finishEstimate: string | null
  createdAt: string
}

/** Prompts that were cancelled, and the quota units that came back with them. */
export type Cancelled = { prompts: number; units: number }

/** A batch's place in line, from 1, and about when it starts; null if that is not known. */
export type InLine = { place: number; startEstimate: string | null }

/** A batch in line as the running one's panel lists it. */
export type BatchInLine = Pick<BatchView, 'id' | 'name' | 'createdAt'> &
  InLine & {
    prompts: number
    /** The start of its first prompt; null if it has none any more. */
    firstPrompt: string | null
  }

/** Prompts of a batch that wait for later days. They have no quota unit. */
export type Carried = {
  prompts: number
  /**
   * When they are looked at next: the start of a day in the platform's time zone. Null while the batch
   * waits in line.
   */
  until: string | null
  /** Which of the batch's days that is, from 1, and how many they will be at the present limit. */
  day: number
  days: number
  /** How many of them a day may take. */
  perDay: number
  /** Those that the plan's end leaves waiting; null if there are none, or the day is not known. */
  beyondPlan: BeyondPlan | null
  /** Whether its owner may not order now, so that they wait for a renewal. */
  isStopped: boolean
}

/**
 * A batch with the present states of its videos, also of those that were ordered again since. With the
 * carried prompts they add up to `totalVideos`.
 */
export type BatchSummary = Pick<
  BatchView,
  'id' | 'name' | 'kind' | 'status' | 'totalVideos' | 'carried' | 'inLine' | 'createdAt'
> & {
  finishedAt: string | null
  isPaused: boolean
  ready: number
  inProgress: number
  /** Part of those in progress: not sent yet. */
  waiting: number
  /** Without the cancelled ones. */
  failed: number
  /** Prompts that were cancelled, one by one or with their batch, and never sent. */
  cancelled: number
  /** Deleted; of a batch of retries also those that were retried once more. */
  gone: number
  /** Whether it left the line, so that it can come back, unless the line is full. Null: it did not. */
  backInLine: 'free' | 'full' | null
  /** Quota units that its deliveries have cost. */
  chargedUnits: number
  /** Ids of its first videos with a poster, at most five. */
  posters: string[]
}

/** A batch in the list, which has to be told from others of the same minute. */
export type ListedBatch = BatchSummary & {
  /** The start of its first prompt, while it has no poster. */
  firstPrompt: string | null
}

/** A video of a batch as its page shows it. */
export type BatchVideo = {
  id: string
  /** Its place among the prompts, from 1. */
  place: number
  name: string | null
  /** The start of the prompt. */
  prompt: string
  aspectRatio: AspectRatio
  /** Of a cancelled one: whether it had a quota unit, and takes one when it comes back. */
  hadUnit: boolean
  cell: Cell
  /** Its message, if it failed. */
  errorMessage: string | null
  errorCode: string | null
  hasPoster: boolean
  regenerateCount: number
  completedAt: string | null
}

/** A prompt of a running batch that has not been sent, and its place among the prompts, from 1. */
export type WaitingPrompt = {
  id: string
  place: number
  name: string | null
  prompt: string
  /** The name of the picture with which its video begins, or null. */
  picture: string | null
  /** The same for the picture with which it ends. */
  endPicture: string | null
  /** Whether it waits for a later day. */
  isCarried: boolean
}

/** Number of failed videos of a batch per error code. */
export type BatchFailure = { errorCode: string; videos: number }

/**
 * State of one prompt of a batch as one letter, because up to a hundred are sent with each update.
 */
export const CELLS = {
  w: 'waiting',
  m: 'in progress',
  d: 'ready',
  f: 'failed',
  c: 'cancelled',
  '-': 'deleted',
} as const
export type Cell = keyof typeof CELLS

/** A batch as followed by the create screen. */
export type BatchProgress = {
  batch: BatchView
  /** Videos that are with the provider or next in the line. */
  moving: number
  /** How many of `moving` can no longer be stopped. They will be finished and charged. */
  sent: number
  /** How many of `moving` are held for a stated reason. */
  held: number
  /** The user's batches in line, first ones first. */
  inLine: BatchInLine[]
  failures: BatchFailure[]
  /** One `Cell` per prompt, in order; empty if the batch is too long for the sheet. */
  cells: string
  /** What the cells are of. Null if the page knows it, and for a batch that is too long. */
  sheet: BatchSheet | null
}

/** The prompts of a batch and their videos. They do not change while it is followed. */
export type BatchSheet = {
  /** The name or the start of each prompt, and the id of its video; null for a deleted one. */
  frames: { id: string | null; prompt: string }[]
  /** Whether all its videos are wide. */
  isWide: boolean
}

/** What one prompt of a batch has of its own. It takes the rest from its batch. */
export type OwnSettings = { [Field in keyof OrderFields]?: OrderFields[Field] | undefined }
