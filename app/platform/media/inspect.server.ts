import { limitConcurrency } from '~/lib/limit-concurrency.server'
import { walkBoxes } from './boxes.server'
import { startExaminer, type ClipPaths, type Examiner } from './examiner.server'
import type { ClipInspection } from './facts'

export type InspectConfig = {
  /** Path of the built `jobs/inspect-clip` file. */
  entry: string
  /** How many clips are decoded side by side. */
  atOnce: number
}

export type InspectInput = ClipPaths & { signal: AbortSignal }

export type Inspector = {
  /**
   * Checks a clip before it counts as delivered: first its boxes, cheaply and in this process, then
   * its tracks and one picture in a child with limits, because the bytes are not ours. Writes the
   * poster to `posterPath` when one can be made. A bad clip is a result; throws only when aborted
   * or when the file cannot be read.
   */
  inspect: (input: InspectInput) => Promise<ClipInspection>
  /** Ends the children. */
  close: () => void
}

/** To start a child costs more than to look at a clip, so it is kept; what it may leak goes with it. */
const CLIPS_A_CHILD = 100
/** A child that nobody needs gives its memory back. */
const IDLE_MS = 30_000

/** Opens a place where clips are inspected; children are started when the first ones come. */
export function openInspector({ entry, atOnce }: InspectConfig): Inspector {
  const examiners = new Set<Examiner>()
  const idle = new Map<Examiner, NodeJS.Timeout>()
  const limit = limitConcurrency(atOnce)

  const dismiss = (examiner: Examiner) => {
    clearTimeout(idle.get(examiner))
    idle.delete(examiner)
    examiners.delete(examiner)
    examiner.end()
  }
  const hire = (): Examiner => {
    for (const [examiner, timer] of idle) {
      clearTimeout(timer)
      idle.delete(examiner)
      if (examiner.isAlive()) return examiner
      dismiss(examiner)
    }
    const examiner = startExaminer(entry)
    examiners.add(examiner)
    return examiner
  }
  const examine = async ({ signal, ...clip }: InspectInput): Promise<ClipInspection> => {
    signal.throwIfAborted()
    const examiner = hire()
    const inspection = await examiner.examine(clip, signal)
    // A process that met bytes that do not decode is not trusted with the next clip.
    const isSound = inspection.ok && inspection.facts.poster && examiner.given() < CLIPS_A_CHILD
    if (isSound) idle.set(examiner, setTimeout(() => dismiss(examiner), IDLE_MS).unref())
    else dismiss(examiner)
    signal.throwIfAborted()
    return inspection
  }
  return {
    inspect: async (input) => {
      input.signal.throwIfAborted()
      const walk = await walkBoxes(input.path)
      return walk.ok ? limit(() => examine(input)) : walk
    },
    close: () => {
      for (const examiner of examiners) dismiss(examiner)
    },
  }
}
