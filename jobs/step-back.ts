import os from 'node:os'

/** A third of the share of a process at 0. At 10 a machine that is far too busy left it one percent. */
const NICENESS = 5

/**
 * Lets pages, polls, orders and rounds go before this process: on a small machine a clip can take a
 * second longer. A process that was started with even less keeps that: only root may take more.
 */
export function stepBack(): void {
  os.setPriority(Math.max(os.getPriority(), NICENESS))
}
