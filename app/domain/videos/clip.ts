/** The result of examining a finished clip before it counts as delivered. */
export type ClipFacts = {
  codec: string
  width: number
  height: number
  durationMs: number
  /** Whether a poster could be made; a clip without one is still a clip. */
  poster: boolean
}

export type ClipInspection = { ok: true; facts: ClipFacts } | { ok: false; reason: string }

/** Checks that a file is a whole, playable MP4 and writes its poster beside it. */
export type InspectClip = (input: {
  path: string
  posterPath: string
  signal: AbortSignal
}) => Promise<ClipInspection>
