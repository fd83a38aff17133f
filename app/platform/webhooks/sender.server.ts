import { createHmac } from 'node:crypto'
import { isIP, type LookupFunction } from 'node:net'
import { seconds } from '~/lib/time'
import { checkAddress, PRIVATE_NAME, type AddressCheck } from '../providers/http/address.server'
import { openWire, TIMEOUTS } from '../providers/http/wire.server'
import { publicLookup } from './public-lookup.server'
import { WebhookUndelivered, type WebhookCall, type WebhookSender } from './port'

const PATIENCE_MS = seconds(10)

export type WebhookConfig = {
  /** Hosts, as `host` or `host:port`, that may use plain http and private addresses. */
  trustedHosts: readonly string[]
  /** Replaces the name servers of this machine. */
  nameServers?: readonly string[]
}

/** Creates the sender. Connects when it sends; `stop` closes its connections. */
export function createWebhookSender({
  trustedHosts,
  nameServers,
}: WebhookConfig): WebhookSender & { stop(): Promise<void> } {
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
    post: async (call) => {
      const checked = check(call.address)
      if (!checked.ok) throw new WebhookUndelivered(`The address is refused: ${checked.reason}`)
      const { url } = checked
      const response = await (isTrusted(url) ? trusted : open).send({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', ...signed(call) },
        body: call.body,
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      if (response.got === 'nothing') throw new WebhookUndelivered(silence(url, response.code))
      // Nothing that a receiver says is read.
      response.body.destroy()
      return response.status
    },
    stop: async () => {
      await Promise.all([trusted.close(), open.close()])
    },
  }
}

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

/** Standard Webhooks: an HMAC-SHA-256 of id, time and body, and the time at which this try was signed. */
function signed({ id, secret, body }: WebhookCall): Record<string, string> {
  const time = `${Math.floor(Date.now() / 1000)}`
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': `v1,${signature}`,
  }
}
