import ipaddr from 'ipaddr.js'

/** An address as one subscriber has it, and the block of neighbours that one holder can move in. */
export type Network = { narrow: string; wide: string }

const BYTES = { ipv4: { narrow: 4, wide: 3 }, ipv6: { narrow: 8, wide: 6 } } as const

/**
 * The networks of a client's address: /32 and /24 of IPv4, /64 and /48 of IPv6, because a subscriber
 * has a whole /64 of addresses to choose from. What is no address is a network of its own.
 */
export function networkOf(address: string): Network {
  if (!ipaddr.isValid(address)) return { narrow: address, wide: address }
  const parsed = ipaddr.process(address)
  const bytes = parsed.toByteArray()
  const { narrow, wide } = BYTES[parsed.kind()]
  const name = (count: number) => `${parsed.kind()}:${bytes.slice(0, count).join('.')}`
  return { narrow: name(narrow), wide: name(wide) }
}
