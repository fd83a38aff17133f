import { limitConcurrency } from '~/lib/limit-concurrency.server'
import { walkBoxes } from './boxes.server'
import { startExaminer, type Examiner } from './examiner.server'
import type { ClipInspection, InspectClip, InspectInput } from './port'

export type InspectConfig = {
  /** The path of the built `jobs/inspect-clip` file. */
  entry: string
  /** How many clips are decoded concurrently. */
  atOnce: number
}

export type Inspector = {
  /**
   * First the boxes are checked, cheaply and in this process. Then the tracks and one picture are
   * checked in a child process with limits, because the bytes are untrusted.
   */
  inspect: InspectClip
  /** Ends the child processes. */
  close: () => void
}

/**
 * Starting a child costs more than examining a clip, so it is reused. It is replaced after this
 * many clips, in case it leaks memory.
 */
const CLIPS_A_CHILD = 100
/** An idle child process is ended after this time, to free its memory. */
const IDLE_MS = 30_000

/** Creates the clip inspector. Child processes are started with the first clips. */
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
    // A process that received undecodable bytes is not trusted with the next clip.
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
