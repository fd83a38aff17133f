import { createECDH } from 'node:crypto'
import webPush from 'web-push'
import { openPublicPost, reasonIn, type PublicPostConfig } from '../webhooks/public-post.server'
import type { PushDevice, PushSender } from './port'

/** How long a service keeps a message for a browser that is away, in seconds: a day. */
const KEPT_SECONDS = 24 * 60 * 60

/** Refusals that say which part of the message was wrong. */
const EXPLAINED: readonly number[] = [400, 403]

export type PushConfig = PublicPostConfig & {
  /** Whom the makers of browsers ask about our messages: an https: or mailto: address. */
  contact: string
}

/** Creates the sender. Connects when it sends; `stop` closes its connections. */
export function createPushSender({
  contact,
  ...config
}: PushConfig): PushSender & { stop(): Promise<void> } {
  const { problemOfAddress, post, stop } = openPublicPost(config)
  return {
    problemOf: (device) =>
      areKeys(device)
        ? problemOfAddress(device.endpoint)
        : Promise.resolve('its keys cannot be used'),
    send: async ({ endpoint, p256dh, auth }, { text, topic, keys }) => {
      // The library encrypts and signs; the call itself is ours, because it checks where it leads.
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        text,
        {
          vapidDetails: { subject: contact, ...keys },
          TTL: KEPT_SECONDS,
          urgency: 'normal',
          topic,
          contentEncoding: 'aes128gcm',
        },
      )
      const message = { headers: inText(headers), body }
      const heard = await post(endpoint, message, (status) => EXPLAINED.includes(status))
      if ('problem' in heard || !heard.said) return heard
      return { status: heard.status, why: reasonIn(heard.said) }
    },
    newKeys: () => webPush.generateVAPIDKeys(),
    stop,
  }
}

const inText = (headers: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), `${value}`]),
  )

/** Whether the keys are a point of P-256 and 16 bytes: nothing can be encrypted with others. */
function areKeys({ p256dh, auth }: PushDevice): boolean {
  if (Buffer.from(auth, 'base64url').length !== 16) return false
  try {
    const own = createECDH('prime256v1')
    own.generateKeys()
    own.computeSecret(Buffer.from(p256dh, 'base64url'))
    return Buffer.from(p256dh, 'base64url').length === 65
  } catch {
    return false
  }
}
