import type { ServiceConfig } from '../io'

export type VertexVeoConfig = ServiceConfig & {
  project: string
  location: string
  /** Where clips are written. Without it they come inside the poll answer, and a lost order is lost. */
  bucket?: string
  /** Folder of the attempts' folders in the bucket; ends in `/`, or is empty. */
  prefix: string
  storageUrl: string
  tokenUrl: string
  generateAudio: boolean
  /** Passed on as it is: guides disagree about the words. */
  personGeneration?: string
  /** Whom to bill and count for user credentials, sent as `X-Goog-User-Project`. */
  quotaProject?: string
  /** What to do after a lost answer when there is no bucket to look into. */
  ambiguous: 'fail' | 'resubmit'
  expectedMs: number
}
