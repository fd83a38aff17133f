import { createHmac } from 'node:crypto'
import type { WebhookCall, WebhookSender } from './port'
import { openPublicPost, type PublicPostConfig } from './public-post.server'

/** Creates the sender. Connects when it sends; `stop` closes its connections. */
export function createWebhookSender(
  config: PublicPostConfig,
): WebhookSender & { stop(): Promise<void> } {
  const { problemOfAddress, post, stop } = openPublicPost(config)
  return {
    problemOfAddress,
    post: (call) => {
      const headers = { 'content-type': 'application/json', ...signed(call) }
      return post(call.address, { headers, body: call.body })
    },
    stop,
  }
}

/** Standard Webhooks: an HMAC-SHA-256 of id, time and body, and the time at which this try was signed. */
function signed({ id, secret, body }: WebhookCall): Record<string, string> {
  const time = `${Math.floor(Date.now() / 1000)}`
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret
  const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': `v1,${signature}`,
  }
}
