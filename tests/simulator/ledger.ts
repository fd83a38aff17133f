import fs from 'node:fs'

/**
 * One accepted order, which costs money. Written and synced before the provider's response is sent.
 */
export type LedgerEntry = {
  /** The provider's id of the order; with the fault `same-id` that of an earlier one. */
  orderId: string
  family: string
  /** The product's id, if the protocol carries it: Vertex labels and output folders. */
  attemptId: string | null
  account: string
  tokenHash: string
  promptHash: string
  /** Null if the order has no negative prompt of its own. */
  negativePromptHash: string | null
  /** Of the picture's bytes. Null if the order has none. */
  pictureHash: string | null
  endPictureHash: string | null
  model: string
  /**
   * When its request arrived, before any latency: the simulator's time, milliseconds since 1970.
   */
  arrivedAt: number
  /** When it was accepted. */
  at: number
}

export type Ledger = { add(entry: LedgerEntry): void; close(): void }

/**
 * Opens an append-only file that is synced after every line: an order in it was accepted, even if
 * the process is killed afterwards. Appends to an existing file.
 */
export function openLedger(file: string | undefined): Ledger {
  if (file === undefined) return { add: () => undefined, close: () => undefined }
  const handle = fs.openSync(file, 'a')
  return {
    add(entry) {
      fs.writeSync(handle, `${JSON.stringify(entry)}\n`)
      fs.fsyncSync(handle)
    },
    close: () => fs.closeSync(handle),
  }
}

/** Returns every entry of a ledger file. Ignores a last line that a kill truncated. */
export function readLedger(file: string): LedgerEntry[] {
  if (!fs.existsSync(file)) return []
  const lines = fs.readFileSync(file, 'utf8').split('\n')
  return lines.slice(0, -1).map((line) => JSON.parse(line) as LedgerEntry)
}
