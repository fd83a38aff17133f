export type BatchKind = 'bulk' | 'retry' | 'regeneration'

export type BatchStatus = 'processing' | 'completed' | 'cancelled'

/** A batch as pages and calls show it. */
export type BatchView = {
  id: string
  kind: BatchKind
  status: BatchStatus
  totalVideos: number
  completedVideos: number
  /** Failed, cancelled and deleted ones: with the completed ones they reach the total. */
  failedVideos: number
  speedLimit: number
  delaySeconds: number
  nextRoundAt: string | null
  /** When the last video should be there; null when nothing more will come. */
  finishEstimate: string | null
  createdAt: string
}

/** What a batch was accepted with. */
export type BatchReceipt = {
  batchId: string
  totalVideos: number
  speedLimit: number
  delaySeconds: number
  finishEstimate: string
}

/** Why videos of a batch failed: one entry a class. */
export type BatchFailure = { errorCode: string; videos: number }

/** What has become of one prompt of a batch, in one letter: a hundred of them are sent with the news. */
export const CELLS = {
  w: 'waiting',
  m: 'in progress',
  d: 'ready',
  f: 'failed',
  '-': 'deleted',
} as const
export type Cell = keyof typeof CELLS

/** A batch as the create screen follows it. */
export type BatchProgress = {
  batch: BatchView
  /** Videos that are with the provider or next in the line. */
  moving: number
  /** How many of those cannot be stopped any more: they are finished and charged. */
  sent: number
  /** How many of those a stated reason keeps from going on. */
  held: number
  failures: BatchFailure[]
  /** A `Cell` for each prompt, in order; empty for a batch too long for the strip. */
  cells: string
}
