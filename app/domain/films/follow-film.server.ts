import { seconds } from '~/lib/time'
import type { EngineCtx } from '../videos/engine/context'
import { noteCopied, type FilmRun } from './film-run.server'

/** Progress is written at most this often. */
const TELL_EVERY_MS = seconds(1)
/** And without progress every so many times, so that the film does not seem to be forgotten. */
const TOUCH_EVERY = 5

export type Follow = {
  /** Aborts when the worker stops, or when the run has lost its film. */
  signal: AbortSignal
  onCopied: (clips: number) => void
  isLost: () => boolean
  end: () => void
}

/** Writes the progress of a run until `end`. */
export function followFilm(ctx: EngineCtx, film: FilmRun): Follow {
  const lost = new AbortController()
  let [copied, told, ticks, isTelling] = [0, 0, 0, false]
  const tell = async () => {
    ticks += 1
    if (isTelling || (copied === told && ticks % TOUCH_EVERY !== 0)) return
    isTelling = true
    const clips = copied
    try {
      if (await noteCopied(ctx, film, clips)) told = clips
      else lost.abort()
    } catch (error) {
      ctx.log.warn({ filmId: film.filmId, err: error }, 'the progress of a film was not written')
    } finally {
      isTelling = false
    }
  }
  const timer = setInterval(() => void tell(), TELL_EVERY_MS)
  return {
    signal: AbortSignal.any([ctx.signal, lost.signal]),
    onCopied: (clips) => {
      copied = clips
    },
    isLost: () => lost.signal.aborted,
    end: () => clearInterval(timer),
  }
}
