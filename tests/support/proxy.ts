import net from 'node:net'
import type { AddressInfo } from 'node:net'

/** A TCP proxy that can refuse connections, hang, or be slow. */
export type Proxy = {
  port: number
  /** Returns `url` with the address of the proxy. */
  through: (url: string) => string
  /** Refuses new connections and closes the open ones. */
  refuse: () => Promise<void>
  /** Accepts connections but passes no data in either direction. */
  hang: () => void
  /** Limits responses to a number of bytes per second on each connection. */
  slow: (bytesPerSecond: number) => void
  /** Passes all data again. Closes the connections on which data was dropped while it hung. */
  open: () => Promise<void>
  stop: () => Promise<void>
}

type Mode = { kind: 'open' } | { kind: 'hang' } | { kind: 'slow'; bytesPerSecond: number }
type Pair = { client: net.Socket; server: net.Socket }

type Options = {
  /** Receives what clients send, before the server does. */
  onSent?: (bytes: Buffer) => void
}

/** Interval at which a slow connection passes bytes. */
const TICK_MS = 100

/** Starts a proxy on 127.0.0.1 in front of the server that `target` names. */
export async function startProxy(target: string, { onSent }: Options = {}): Promise<Proxy> {
  const { hostname, port: targetPort } = new URL(target)
  const pairs = new Set<Pair>()
  let mode: Mode = { kind: 'open' }
  const passes = () => mode.kind !== 'hang'

  const listener = net.createServer((client) => {
    const server = net.connect(Number(targetPort), hostname)
    const pair = { client, server }
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) {
      socket.setNoDelay(true)
      socket.on('error', end).on('close', end)
    }
    client.on('data', (bytes) => {
      onSent?.(bytes)
      if (passes()) server.write(bytes)
    })
    server.on('data', (bytes) => {
      if (mode.kind === 'slow') return void trickle({ client, server }, bytes, mode.bytesPerSecond)
      if (passes()) client.write(bytes)
    })
    client.on('end', () => server.end())
    server.on('end', () => client.end())
  })
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      listener.once('error', reject).listen(port, '127.0.0.1', () => {
        listener.off('error', reject)
        resolve()
      })
    })
  const cut = () => {
    for (const { client, server } of pairs) {
      client.destroy()
      server.destroy()
    }
  }
  const close = () =>
    new Promise<void>((resolve) => {
      if (listener.listening) listener.close(() => resolve())
      else resolve()
      cut()
    })

  await listen(0)
  const { port } = listener.address() as AddressInfo
  return {
    port,
    through: (url) => {
      const address = new URL(url)
      address.hostname = '127.0.0.1'
      address.port = String(port)
      return url.endsWith('/') ? address.href : address.href.replace(/\/$/, '')
    },
    refuse: close,
    hang: () => (mode = { kind: 'hang' }),
    slow: (bytesPerSecond) => (mode = { kind: 'slow', bytesPerSecond }),
    open: async () => {
      if (mode.kind === 'hang') cut()
      mode = { kind: 'open' }
      if (!listener.listening) await listen(port)
    },
    stop: close,
  }
}

/** Passes a chunk on in small steps. The server is not read meanwhile, as on a slow link. */
async function trickle({ client, server }: Pair, bytes: Buffer, bytesPerSecond: number) {
  server.pause()
  const step = Math.max(1, Math.ceil((bytesPerSecond * TICK_MS) / 1000))
  for (let at = 0; at < bytes.length && !client.destroyed; at += step) {
    client.write(bytes.subarray(at, at + step))
    await new Promise((resolve) => setTimeout(resolve, TICK_MS))
  }
  server.resume()
}
