/** What a text service is asked to do with a prompt. */
export type Rewrite = 'translate' | 'improve'

/** Why the service gave nothing that can be used. */
export type TextProblem =
  /** No answer in time, or no connection. */
  | 'slow'
  | 'away'
  /** Its answer says: the key is refused, the account has no money, too many requests, not this text. */
  | 'key'
  | 'money'
  | 'busy'
  | 'declined'
  /** Its answer is an error, no text, or was cut off. */
  | 'error'
  | 'unreadable'
  | 'cut'

/** `evidence` is for the log: without prompts and secrets. */
export type Rewritten =
  { texts: (string | undefined)[] } | { problem: TextProblem; evidence: string }

/** Has prompts rewritten by a service that the operator has chosen. */
export type TextService = {
  /**
   * Sends the texts in one request. Returns one answer for each, as it came: it may be empty, wrong, or
   * missing. Never throws.
   */
  rewrite(act: Rewrite, texts: readonly string[], signal: AbortSignal): Promise<Rewritten>
  /** Asks the service, free of charge, whether it answers and takes the key. Returns what is wrong, or null. */
  problem(signal: AbortSignal): Promise<string | null>
}
