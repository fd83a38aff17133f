import ipaddr from 'ipaddr.js'

/**
 * `narrow` is the range of one subscriber; `wide` is the block within which one holder can change
 * address.
 */
export type Network = { narrow: string; wide: string }

const BYTES = { ipv4: { narrow: 4, wide: 3 }, ipv6: { narrow: 8, wide: 6 } } as const

/**
 * Returns the networks of a client's address: /32 and /24 for IPv4, /64 and /48 for IPv6, because
 * an IPv6 subscriber can choose from a whole /64. Text that is not an address is a network of its
 * own.
 */
export function networkOf(address: string): Network {
  if (!ipaddr.isValid(address)) return { narrow: address, wide: address }
  const parsed = ipaddr.process(address)
  const bytes = parsed.toByteArray()
  const { narrow, wide } = BYTES[parsed.kind()]
  const name = (count: number) => `${parsed.kind()}:${bytes.slice(0, count).join('.')}`
  return { narrow: name(narrow), wide: name(wide) }
}
