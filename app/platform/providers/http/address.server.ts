import dns from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/**
 * The hosts to which a provider may direct our requests. `configured`: hosts from the operator's
 * settings, as `host` or `host:port`; they may use plain http and private addresses. `documented`:
 * other hosts from the provider's documentation, which must be public and use https; `*.` matches
 * any subdomain.
 */
export type AddressPolicy = { configured: readonly string[]; documented: readonly string[] }

export type AddressCheck = { ok: true; url: URL } | { ok: false; reason: string }

/** Returns a list of networks, each written as `address/prefix`. */
function networks(family: 'ipv4' | 'ipv6', ...names: string[]): BlockList {
  const list = new BlockList()
  for (const name of names) {
    const [address = '', prefix] = name.split('/')
    list.addSubnet(address, Number(prefix), family)
  }
  return list
}

const PRIVATE = networks(
  'ipv4',
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
)

// Of IPv6 only 2000::/3 is allocated. Within it, HIDDEN_6 lists special and tunnelling ranges.
const GLOBAL_6 = networks('ipv6', '2000::/3')
const HIDDEN_6 = networks('ipv6', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20')

/** Returns whether an IP address is outside the public internet. */
export function isPrivateIp(address: string): boolean {
  if (isIP(address) === 4) return PRIVATE.check(address, 'ipv4')
  return !GLOBAL_6.check(address, 'ipv6') || HIDDEN_6.check(address, 'ipv6')
}

/**
 * Checks whether we may call an address that a provider named. Host names are resolved later, on
 * connecting.
 */
export function checkAddress(address: string | URL, policy: AddressPolicy): AddressCheck {
  if (!URL.canParse(address)) return { ok: false, reason: 'it is no address' }
  const url = new URL(address)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return { ok: false, reason: `${url.protocol} is not http` }
  }
  if (url.username !== '' || url.password !== '') {
    return { ok: false, reason: 'it carries a user name' }
  }
  if (isConfigured(url, policy)) return { ok: true, url }
  const host = bareHost(url.hostname)
  if (!policy.documented.some((entry) => matches(entry, url))) {
    return { ok: false, reason: `${url.host} is not in VIDEO_PROVIDER_ASSET_HOSTS` }
  }
  if (url.protocol !== 'https:') return { ok: false, reason: 'it does not begin with https://' }
  if (isIP(host) !== 0 && isPrivateIp(host)) return { ok: false, reason: `${host} is private` }
  return { ok: true, url }
}

/**
 * Returns a DNS look-up that rejects private addresses, except for hosts in `configured`. The
 * connection uses exactly the addresses that were checked, so DNS rebinding cannot bypass the
 * check.
 */
export function guardedLookup(policy: AddressPolicy): LookupFunction {
  const trusted = new Set(policy.configured.map((entry) => hostOf(entry)))
  return (hostname, options, callback) => {
    dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '')
      const usable = trusted.has(hostname.toLowerCase())
        ? addresses
        : addresses.filter(({ address }) => !isPrivateIp(address))
      const [first] = usable
      if (first === undefined) return callback(privateName(hostname), '')
      if (options.all) return callback(null, usable)
      callback(null, first.address, first.family)
    })
  }
}

export const PRIVATE_NAME = 'EPRIVATENAME'

/** The error of a name of which all addresses are private. */
export function privateName(hostname: string): NodeJS.ErrnoException {
  const error: NodeJS.ErrnoException = new Error(`${hostname} leads to a private address`)
  error.code = PRIVATE_NAME
  return error
}

function isConfigured(url: URL, { configured }: AddressPolicy): boolean {
  return configured.some((entry) => matches(entry, url))
}

/**
 * Returns whether an entry matches the URL's host. An entry without a port means the default port.
 */
function matches(entry: string, url: URL): boolean {
  const wanted = entry.toLowerCase()
  if (!wanted.startsWith('*.')) return wanted === url.host
  const suffix = wanted.slice(1)
  return url.host.endsWith(suffix) && url.host.length > suffix.length
}

function hostOf(entry: string): string {
  const url = `http://${entry}`
  return URL.canParse(url) ? bareHost(new URL(url).hostname) : entry.toLowerCase()
}

function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}
