import { createHmac } from 'node:crypto'
import { WebhookUndelivered, type WebhookCall, type WebhookSender } from './port'
import { openPublicPost, type PublicPostConfig } from './public-post.server'

/** Creates the sender. Connects when it sends; `stop` closes its connections. */
export function createWebhookSender(
  config: PublicPostConfig,
): WebhookSender & { stop(): Promise<void> } {
  const { problemOfAddress, post, stop } = openPublicPost(config)
  return {
    problemOfAddress,
    post: async (call) => {
      const headers = { 'content-type': 'application/json', ...signed(call) }
      const posted = await post(call.address, { headers, body: call.body })
      if ('problem' in posted) throw new WebhookUndelivered(posted.problem)
      return posted.status
    },
    stop,
  }
}

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
