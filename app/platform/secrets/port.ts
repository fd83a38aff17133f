/** Encrypts texts at rest with the operator's key. */
export type Vault = {
  /** Encrypts a text. `name` says what the text belongs to; only the same name opens it. */
  seal(name: string, text: string): Buffer
  /**
   * Decrypts. Throws if the text was sealed under another name or its key is no longer configured.
   */
  open(name: string, sealed: Uint8Array): string
  /**
   * Returns the text sealed with the current key, or null if it already is. 'unreadable' if no key
   * opens it.
   */
  reseal(name: string, sealed: Uint8Array): Buffer | 'unreadable' | null
}
