import { startProxy, type Proxy } from '../support/proxy'

// Proxies in front of the provider, in a separate process (see proxies.ts). Every call passes through
// them, and the arrival times must not depend on the load of the process that causes the trouble.

/** Returns the tag with which every prompt of a run begins. */
export const tagOf = (number: number): string => `soak-${number}-`

const TAG = /soak-(\d+)-/g
/** Longer than any tag, so that a tag split between two chunks is found. */
const OVERLAP = 24

export type ProxyRequest =
  | { id: number; what: 'start'; proxy: string; target: string }
  | { id: number; what: 'refuse' | 'hang' | 'open'; proxy: string }
  | { id: number; what: 'arrivals' }

export type ProxyResponse = { id: number; port?: number; arrivals?: [number, number][] }

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
export function serveProxies(): void {
  const proxies = new Map<string, Proxy>()
  const { arrivals, hear } = openListener()
  const respond = async (request: ProxyRequest): Promise<ProxyResponse> => {
    const { id } = request
    if (request.what === 'arrivals') return { id, arrivals: [...arrivals] }
    if (request.what === 'start') {
      const proxy = await startProxy(request.target, { onSent: hear })
      proxies.set(request.proxy, proxy)
      return { id, port: proxy.port }
    }
    await proxies.get(request.proxy)?.[request.what]()
    return { id }
  }
  process.on(
    'message',
    (request: ProxyRequest) => void respond(request).then((response) => process.send?.(response)),
  )
  process.on('disconnect', () => process.exit())
}

if (process.argv[2] === 'serve') serveProxies()
