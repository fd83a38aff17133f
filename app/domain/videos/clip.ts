/** The result of inspecting a finished clip before it counts as delivered. */
export type ClipFacts = {
  codec: string
  width: number
  height: number
  durationMs: number
  /** Whether a poster could be created. A clip is valid without one. */
  poster: boolean
}

export type ClipInspection = { ok: true; facts: ClipFacts } | { ok: false; reason: string }

/** Checks that a file is a complete, playable MP4 and writes its poster to `posterPath` and beside it (`filesOf`). */
export type InspectClip = (input: {
  path: string
  posterPath: string
  signal: AbortSignal
}) => Promise<ClipInspection>
