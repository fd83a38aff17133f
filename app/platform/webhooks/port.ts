/** One call to the address of a user's program. */
export type WebhookCall = {
  /** The same for every try, so that the receiver can drop a second copy. */
  id: string
  address: string
  /** `whsec_` and a key in base64 (Standard Webhooks). */
  secret: string
  /** JSON. */
  body: string
}

/** Calls addresses that users name. They are never trusted: redirects are not followed. */
export type WebhookSender = {
  /**
   * Returns why an address must not be called, in words, or null. Looks its name up: one that leads to a
   * private network is refused.
   */
  problemOfAddress(address: string): Promise<string | null>
  /**
   * Posts a signed body within ten seconds and returns the HTTP status. Checks the address again, also
   * after its name is looked up. Throws WebhookUndelivered if there was no response; the call may have
   * arrived all the same.
   */
  post(call: WebhookCall): Promise<number>
}

/** Why there was no response, in words for the user. */
export class WebhookUndelivered extends Error {
  override readonly name = 'WebhookUndelivered'
}
