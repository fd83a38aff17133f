import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { setPriority } from '../support/strain'
import type { ProxyRequest, ProxyResponse } from './proxy-process'

/** A proxy in front of one server of the provider. */
export type ProviderProxy = {
  /** The address that the product uses in place of the server's own. */
  url: string
  refuse: () => Promise<void>
  hang: () => Promise<void>
  open: () => Promise<void>
}

export type ProviderProxies = {
  start: (name: string, target: string) => Promise<ProviderProxy>
  /**
   * Returns when the first order of each video arrived at a proxy, refused or not, by the video's
   * number.
   */
  arrivals: () => Promise<ReadonlyMap<number, number>>
  stop: () => Promise<void>
}

type Command = ProxyRequest extends infer Each
  ? Each extends ProxyRequest
    ? Omit<Each, 'id'>
    : never
  : never

const PROGRAM = fileURLToPath(new URL('./proxy-process.ts', import.meta.url))

/** Starts the process of the proxies between the product and the provider. */
export function startProxies(): ProviderProxies {
  const child = fork(PROGRAM, ['serve'], { execArgv: ['--import', 'tsx'] })
  if (child.pid !== undefined) setPriority(child.pid, -10)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const waiting = new Map<number, (response: ProxyResponse) => void>()
  let last = 0
  child.on('message', (response: ProxyResponse) => waiting.get(response.id)?.(response))
  const request = (command: Command) =>
    new Promise<ProxyResponse>((resolve) => {
      const id = ++last
      waiting.set(id, resolve)
      child.send({ id, ...command })
    })
  return {
    start: async (proxy, target) => {
      const { port } = await request({ what: 'start', proxy, target })
      const order = (what: 'refuse' | 'hang' | 'open') => async () => {
        await request({ what, proxy })
      }
      return {
        url: `http://127.0.0.1:${port}`,
        refuse: order('refuse'),
        hang: order('hang'),
        open: order('open'),
      }
    },
    arrivals: async () => new Map((await request({ what: 'arrivals' })).arrivals),
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
