import { isIP, type LookupFunction } from 'node:net'
import { seconds } from '~/lib/time'
import { excerpt } from '~/lib/text'
import { readBody } from '../providers/http/json-body.server'
import { redact } from '../providers/http/redact'
import type { Body } from '../providers/http/responses'
import { checkAddress, PRIVATE_NAME, type AddressCheck } from '../providers/http/address.server'
import { openWire, TIMEOUTS, type Exchange } from '../providers/http/wire.server'
import { publicLookup } from './public-lookup.server'

const PATIENCE_MS = seconds(10)

export type PublicPostConfig = {
  /** Hosts, as `host` or `host:port`, that may use plain http and private addresses. */
  trustedHosts: readonly string[]
  /** Replaces the name servers of this machine. */
  nameServers?: readonly string[]
}

/** A response, with its body if that was asked for, or why there was none, in words. */
type Heard = { status: number; said?: Body } | { problem: string }

/** Posts to addresses that users or administrators name. */
export type PublicPost = {
  /** Returns why an address must not be called, in words, or null. Looks its name up. */
  problemOfAddress(address: string): Promise<string | null>
  /**
   * Posts within ten seconds. Checks the address again, also after its name is looked up. Redirects
   * are not followed. What the receiver says is read only for the statuses for which `reads` is true.
   */
  post(
    address: string,
    message: Pick<Exchange, 'headers' | 'body'>,
    reads?: (status: number) => boolean,
  ): Promise<Heard>
  /** Closes the connections. */
  stop(): Promise<void>
}

/** Creates the client. Connects when it posts. */
export function openPublicPost({ trustedHosts, nameServers }: PublicPostConfig): PublicPost {
  // Two sets of connections: a trusted name is trusted at its own port only.
  const trusted = openWire({ configured: trustedHosts, documented: [] })
  const lookup = publicLookup(nameServers)
  const open = openWire({ configured: [], documented: [] }, TIMEOUTS, lookup)
  const isTrusted = (url: URL) => checkAddress(url, { configured: trustedHosts, documented: [] }).ok
  const check = (address: string): AddressCheck => {
    // Any public host will do: the user names it.
    const documented = URL.canParse(address) ? [new URL(address).host] : []
    return checkAddress(address, { configured: trustedHosts, documented })
  }
  return {
    problemOfAddress: async (address) => {
      const checked = check(address)
      if (!checked.ok) return checked.reason
      return isTrusted(checked.url) ? null : problemOfName(lookup, checked.url.hostname)
    },
    post: async (address, message, reads = () => false) => {
      const checked = check(address)
      if (!checked.ok) return { problem: `The address is refused: ${checked.reason}` }
      const { url } = checked
      const response = await (isTrusted(url) ? trusted : open).send({
        method: 'POST',
        url,
        ...message,
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      if (response.got === 'nothing') return { problem: silence(url, response.code) }
      const { status, body } = response
      try {
        return reads(status) ? { status, said: await readBody(body) } : { status }
      } finally {
        body.destroy()
      }
    },
    stop: async () => {
      await Promise.all([trusted.close(), open.close()])
    },
  }
}

const WHY_CHARACTERS = 200
/** Where services say it: Apple, Mozilla, others, Telegram. */
const WHY_FIELDS = ['reason', 'message', 'error', 'description'] as const

/** Returns what a refusal says about itself in a few words, or ''. */
export function reasonIn(body: Body): string {
  if (body.is === 'other') return shortened(body.text.replaceAll(/<[^<>]*>/g, ' '))
  if (body.is !== 'json' || typeof body.value !== 'object' || body.value === null) return ''
  const fields = new Map<string, unknown>(Object.entries(body.value))
  const said = WHY_FIELDS.map((name) => fields.get(name)).find((text) => typeof text === 'string')
  return typeof said === 'string' ? shortened(said) : ''
}

const shortened = (text: string): string =>
  excerpt(
    redact(text, [])
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
    WHY_CHARACTERS,
  )

function silence({ host }: URL, code: string): string {
  if (code === PRIVATE_NAME) return `${host} leads to a private address`
  return code === 'TimeoutError'
    ? `${host} did not answer in time`
    : `${host} did not answer: ${code}`
}

/** Looks a name up as a call would. One that cannot be found now may be a mistake. */
const problemOfName = (lookup: LookupFunction, hostname: string): Promise<string | null> =>
  new Promise((resolve) => {
    // An address instead of a name has been checked.
    if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return resolve(null)
    lookup(hostname, {}, (error) => {
      if (error === null) return resolve(null)
      const isPrivate = error.code === PRIVATE_NAME
      resolve(isPrivate ? `${hostname} leads to a private address` : `${hostname} was not found`)
    })
  })
