/** Lets a waiting request go on. */
type Start = () => void

/** Stores waiting requests by caller and takes them in round-robin order. */
export function createRoundRobin() {
  const queues = new Map<string, Set<Start>>()
  const remove = (caller: string, start: Start) => {
    const queue = queues.get(caller)
    if (queue?.delete(start) && queue.size === 0) queues.delete(caller)
  }
  return {
    add: (caller: string, start: Start) =>
      queues.set(caller, (queues.get(caller) ?? new Set()).add(start)),
    remove,
    /** Removes and returns the next request of those callers that may start one. */
    next: (mayStart: (caller: string) => boolean): Start | undefined => {
      for (const [caller, queue] of queues) {
        if (!mayStart(caller)) continue
        // Move this caller to the end, so that all other callers come before its next turn.
        queues.delete(caller)
        queues.set(caller, queue)
        for (const start of queue) {
          remove(caller, start)
          return start
        }
      }
      return undefined
    },
  }
}
