import type { Posted } from '../webhooks/port'

/** A browser, as it is reached through its maker's service. Keys are base64url. */
export type PushDevice = { endpoint: string; p256dh: string; auth: string }

/** The pair of keys with which an installation names itself (VAPID), in base64url. */
export type PushKeys = { publicKey: string; privateKey: string }

/** Sends encrypted messages to browsers through their makers' services (Web Push, RFC 8030). */
export type PushSender = {
  /**
   * Returns why a browser cannot be told, in words, or null: its address must not be called, or its keys
   * are none. Looks the name of the address up.
   */
  problemOf(device: PushDevice): Promise<string | null>
  /**
   * Encrypts a text for a browser, at most 3,000 bytes, and hands it to the service within ten seconds. The service keeps
   * it for a day if the browser is away; a later one with the same `topic` replaces it meanwhile.
   * Checks the address again. Redirects are not followed. Of a 400 or 403 the reason is read.
   */
  send(
    device: PushDevice,
    message: { text: string; topic: string; keys: PushKeys },
  ): Promise<Posted>
  /** Returns a new pair of keys. */
  newKeys(): PushKeys
}
