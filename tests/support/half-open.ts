import net from 'node:net'
import type { AddressInfo } from 'node:net'

/** A proxy to PostgreSQL that can silently stop passing data on single connections. */
export type HalfOpenProxy = {
  /** The address of the same database through the proxy. */
  url: string
  /** Returns how many connections listen for notifications and still receive them. */
  listeners: () => number
  /** Stops passing data on them in both directions, without an error. Returns their number. */
  swallowListeners: () => number
  /** Closes the swallowed connections, as the network does after hours. */
  dropSwallowed: () => void
  stop: () => Promise<void>
}

type Pair = { client: net.Socket; server: net.Socket; isListener: boolean; isSwallowed: boolean }

export async function startHalfOpenProxy(databaseUrl: string): Promise<HalfOpenProxy> {
  const target = new URL(databaseUrl)
  const pairs = new Set<Pair>()
  const proxy = net.createServer((client) => {
    const server = net.connect(Number(target.port), target.hostname)
    const pair = { client, server, isListener: false, isSwallowed: false }
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) socket.on('error', end).on('close', end)
    client.on('data', (data) => {
      if (data.includes('LISTEN "jobs:insert"')) pair.isListener = true
      if (!pair.isSwallowed) server.write(data)
    })
    server.on('data', (data) => {
      if (!pair.isSwallowed) client.write(data)
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((proxy.address() as AddressInfo).port)
  const hearing = () => [...pairs].filter((pair) => pair.isListener && !pair.isSwallowed)
  return {
    url: url.href,
    listeners: () => hearing().length,
    swallowListeners: () => hearing().map((pair) => (pair.isSwallowed = true)).length,
    dropSwallowed: () => {
      for (const { client, server, isSwallowed } of pairs) {
        if (!isSwallowed) continue
        client.destroy()
        server.destroy()
      }
    },
    stop: async () => {
      for (const { client, server } of pairs) {
        client.destroy()
        server.destroy()
      }
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}
