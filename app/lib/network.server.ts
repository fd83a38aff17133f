import ipaddr from 'ipaddr.js'

/**
 * `network` is the range of one subscriber; `block` is the range within which one holder can change
 * address.
 */
export type Network = { network: string; block: string }

const BYTES = { ipv4: { network: 4, block: 3 }, ipv6: { network: 8, block: 6 } } as const

/**
 * Returns the networks of a client's address: /32 and /24 for IPv4, /64 and /48 for IPv6, because
 * an IPv6 subscriber can choose from a whole /64. Text that is not an address is a network of its
 * own.
 */
export function networkOf(address: string): Network {
  if (!ipaddr.isValid(address)) return { network: address, block: address }
  const parsed = ipaddr.process(address)
  const bytes = parsed.toByteArray()
  const { network, block } = BYTES[parsed.kind()]
  const name = (count: number) => `${parsed.kind()}:${bytes.slice(0, count).join('.')}`
  return { network: name(network), block: name(block) }
}
