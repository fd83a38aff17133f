import os from 'node:os'

/**
 * Gives a third of the processor share of niceness 0. At 10, an overloaded machine left only one
 * percent.
 */
const NICENESS = 5

/**
 * Lowers the priority of this process below that of pages, polls, orders and rounds. On a small
 * machine a clip may take a second longer. A process that was started with a lower priority keeps
 * it, because only root may raise it.
 */
export function lowerPriority(): void {
  os.setPriority(Math.max(os.getPriority(), NICENESS))
}
