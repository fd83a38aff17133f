/** Keeps texts at rest unreadable without the operator's key. */
export type Vault = {
  /** `name` is what the text belongs to; it can be opened only under the same name. */
  seal(name: string, text: string): Buffer
  /** Throws when the text was sealed under another name or with a key that is no longer given. */
  open(name: string, sealed: Uint8Array): string
  /** The same text sealed with the key in use; null where it is already. */
  reseal(name: string, sealed: Uint8Array): Buffer | 'unreadable' | null
}
