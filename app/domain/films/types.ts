import type { AspectRatio } from '../videos/types'

/** How far a film is. */
export type FilmNews =
  /** Behind other films, of its user or of this web server. */
  | { state: 'waiting' }
  /** How many of its clips have been copied into the file. */
  | { state: 'working'; clipsDone: number }
  /** `lostSound`: the clips had sound that the film has not. */
  | { state: 'ready'; filmId: string; bytes: number; lostSound: boolean }
  /** The reason is for its user. */
  | { state: 'failed'; reason: string }

/** A clip that was chosen for a film. */
export type ChosenClip = {
  id: string
  prompt: string
  aspectRatio: AspectRatio
  bytes: number
  durationMs: number
  hasPoster: boolean
  /** Differs after each regeneration (app/lib/media-version.ts). */
  version: string
}

/** The videos that were chosen for a film. */
export type Chosen = {
  /** In the chosen order; those without a clip are missing. */
  clips: ChosenClip[]
  /** How many of the videos have no clip. */
  unfinished: number
}
