import type { Standing } from '../accounts/rules'
import { isInProgress } from '../videos/rules'
import type { VideoView } from '../videos/types'
import type { EstimateInputs } from './receipt'
import type { BatchProgress } from './types'

/** The part of a user's work that only the create screen shows. */
export type Work = {
  standing: Standing
  estimateInputs: EstimateInputs
  progress: BatchProgress | null
  /** The video requested by id. */
  watched: VideoView | null
  /** The user's single video in progress; of several the one that is being made. */
  single: VideoView | null
  /** How many single videos wait before the next one. Null: it starts at once. */
  singlesAhead: number | null
}

/**
 * Returns the video for the status card. A video in progress takes precedence over a finished one.
 */
export const trackedOf = ({ watched, single }: Pick<Work, 'watched' | 'single'>) =>
  watched && (isInProgress(watched) || single === null) ? watched : single
