import type { AspectRatio } from '../videos/types'

export type FilmState = 'waiting' | 'working' | 'ready' | 'failed'

/** A film as its owner sees it. */
export type FilmView = {
  id: string
  name: string
  aspectRatio: AspectRatio
  state: FilmState
  clips: number
  /** How many of them have been copied into the file. */
  clipsDone: number
  bytes: number | null
  durationMs: number | null
  hasPoster: boolean
  /** Whether the clips had sound that the film has not. */
  lostSound: boolean
  /** Why it failed. */
  reason: string | null
  createdAt: string
  /** When it will be removed. Null: it is not ready, or films are kept for ever. */
  keptUntil: string | null
}

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
