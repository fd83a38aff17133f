import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { isPrivateIp, privateName } from '../providers/http/address.server'

const WAITS = { timeout: 2_000, tries: 2 } as const

/**
 * Returns a look-up of names by which users reach their programs. Only public addresses are returned, and
 * the connection uses exactly these. It asks the name servers itself: the system's look-up occupies a
 * thread while it waits, and the few threads of a process must not wait for a user's slow name server.
 * `servers` replaces the name servers of this machine.
 */
export function publicLookup(servers: readonly string[] = []): LookupFunction {
  const resolver = new Resolver(WAITS)
  if (servers.length > 0) resolver.setServers(servers)
  return (hostname, options, callback) => {
    void addressesOf(resolver, hostname).then((found) => {
      const usable = found.filter(({ address }) => !isPrivateIp(address))
      const [first] = usable
      if (first === undefined)
        return callback(found.length > 0 ? privateName(hostname) : notFound(hostname), '')
      if (options.all) return callback(null, usable)
      callback(null, first.address, first.family)
    })
  }
}

async function addressesOf(resolver: Resolver, hostname: string) {
  const [four, six] = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ])
  const named = (answer: typeof four, family: 4 | 6) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
  return [...named(four, 4), ...named(six, 6)]
}

function notFound(hostname: string): NodeJS.ErrnoException {
  const error: NodeJS.ErrnoException = new Error(`${hostname} was not found`)
  error.code = 'ENOTFOUND'
  return error
}
