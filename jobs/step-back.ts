import os from 'node:os'

/**
 * Lets pages, polls, orders and rounds go before this process: on a small machine a clip can take a
 * second longer. A process that was started with even less keeps that: only root may take more.
 */
export function stepBack(): void {
  os.setPriority(Math.max(os.getPriority(), os.constants.priority.PRIORITY_BELOW_NORMAL))
}
