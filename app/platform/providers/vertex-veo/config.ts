import type { ServiceConfig } from '../io'

export type VertexVeoConfig = ServiceConfig & {
  project: string
  location: string
  /**
   * The bucket for clips. Without it, clips come in the poll response and a lost order cannot be
   * found.
   */
  bucket?: string | undefined
  /** The parent folder of the attempts' folders in the bucket. Ends in `/`, or is empty. */
  prefix: string
  storageUrl: string
  tokenUrl: string
  generateAudio: boolean
  /** Passed on unchanged, because Google's guides disagree about the values. */
  personGeneration?: string | undefined
  /** The project for billing and quota of user credentials, sent as `X-Goog-User-Project`. */
  quotaProject?: string | undefined
  /** What to do after a lost response if there is no bucket to search. */
  ambiguous: 'fail' | 'resubmit'
}
