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

export type InspectInput = { path: string; posterPath: string; signal: AbortSignal }

/**
 * Checks a clip before it counts as delivered: that it is a complete, playable MP4. Writes its poster
 * to `posterPath` and beside it (`filesOf`) if one can be made. A bad clip is a result; throws only
 * if aborted or if the file cannot be read.
 */
export type InspectClip = (input: InspectInput) => Promise<ClipInspection>
