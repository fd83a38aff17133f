import type { Standing } from '../accounts/rules'
import { isInProgress } from '../videos/rules'
import type { VideoView } from '../videos/types'
import type { EstimateInputs } from './receipt'
import type { BatchProgress } from './types'

/** What only the create screen shows of work. */
export type Work = {
  standing: Standing
  estimateInputs: EstimateInputs
  progress: BatchProgress | null
  /** The video that was asked for by its id. */
  watched: VideoView | null
  /** The newest of the user's videos that is being made on its own. */
  single: VideoView | null
}

/** The video in the status card: what runs is followed before what is only looked at. */
export const trackedOf = ({ watched, single }: Pick<Work, 'watched' | 'single'>) =>
  watched && (isInProgress(watched) || single === null) ? watched : single
