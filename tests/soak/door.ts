import { startProxy, type Proxy } from '../support/proxy'

// Proxies in front of the provider, in a separate process (see doors.ts). Every call passes through
// them, and the arrival times must not depend on the load of the process that causes the trouble.

/** Returns the tag with which every prompt of a run begins. */
export const tagOf = (number: number): string => `soak-${number}-`

const TAG = /soak-(\d+)-/g
/** Longer than any tag, so that a tag split between two chunks is found. */
const OVERLAP = 24

export type Ask =
  | { id: number; what: 'start'; door: string; target: string }
  | { id: number; what: 'refuse' | 'hang' | 'open'; door: string }
  | { id: number; what: 'arrivals' }

export type Told = { id: number; port?: number; arrivals?: [number, number][] }

/** Reads what clients send and records when the first order of each video arrived. */
function openListener() {
  const arrivals = new Map<number, number>()
  let before = ''
  return {
    arrivals,
    hear: (bytes: Buffer): void => {
      const text = before + bytes.toString('latin1')
      for (const [, number] of text.matchAll(TAG)) {
        if (!arrivals.has(Number(number))) arrivals.set(Number(number), Date.now())
      }
      before = text.slice(-OVERLAP)
    },
  }
}

/**
 * Executes the requests of the other process, one response message each, until the channel closes.
 */
export function serveDoors(): void {
  const doors = new Map<string, Proxy>()
  const { arrivals, hear } = openListener()
  const answer = async (ask: Ask): Promise<Told> => {
    const { id } = ask
    if (ask.what === 'arrivals') return { id, arrivals: [...arrivals] }
    if (ask.what === 'start') {
      const proxy = await startProxy(ask.target, { onSent: hear })
      doors.set(ask.door, proxy)
      return { id, port: proxy.port }
    }
    await doors.get(ask.door)?.[ask.what]()
    return { id }
  }
  process.on('message', (ask: Ask) => void answer(ask).then((told) => process.send?.(told)))
  process.on('disconnect', () => process.exit())
}

if (process.argv[2] === 'serve') serveDoors()
