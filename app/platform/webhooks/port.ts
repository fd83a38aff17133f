/**
 * The HTTP status of a response, with what a refusal says about itself where that is read, or why there
 * was no response, in words for whoever set the address.
 */
export type Posted = { status: number; why?: string } | { problem: string }

/** One signed call to the address of a program. */
export type WebhookCall = {
  /** The same for every try, so that the receiver can drop a second copy. */
  id: string
  address: string
  /** `whsec_` and a key in base64 (Standard Webhooks), or another text that is the key itself. */
  secret: string
  /** JSON. */
  body: string
}

/** Calls addresses that users or administrators name. They are never trusted: redirects are not followed. */
export type WebhookSender = {
  /**
   * Returns why an address must not be called, in words, or null. Looks its name up: one that leads to a
   * private network is refused.
   */
  problemOfAddress(address: string): Promise<string | null>
  /**
   * Posts a signed body within ten seconds. Checks the address again, also after its name is looked up.
   * Without a response the call may have arrived all the same.
   */
  post(call: WebhookCall): Promise<Posted>
}
