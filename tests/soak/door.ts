import { startProxy, type Proxy } from '../support/proxy'

// The doors of the provider, as a process of its own (see doors.ts): every call passes here, and
// when it came must not depend on how busy the process is that makes the trouble.

/** Every prompt of a run begins with its number. */
export const tagOf = (number: number): string => `soak-${number}-`

const TAG = /soak-(\d+)-/g
/** Longer than any tag: one that is split between two pieces is found. */
const OVERLAP = 24

export type Ask =
  | { id: number; what: 'start'; door: string; target: string }
  | { id: number; what: 'refuse' | 'hang' | 'open'; door: string }
  | { id: number; what: 'arrivals' }

export type Told = { id: number; port?: number; arrivals?: [number, number][] }

/** Hears what clients send and notes when the first order of each video came. */
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

/** Answers what the other process asks for, one message an answer, until the channel closes. */
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
