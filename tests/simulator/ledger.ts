import fs from 'node:fs'

/** One accepted order: money spent. Written and synced before the provider's answer leaves. */
export type LedgerEntry = {
  /** The provider's number for the order; with the fault `same-id` that of an earlier one. */
  orderId: string
  family: string
  /** Ours, where the protocol carries it: Vertex labels and output folders. */
  attemptId: string | null
  account: string
  tokenHash: string
  promptHash: string
  model: string
  /** When its request arrived, before any latency. The simulator's time, milliseconds since 1970. */
  arrivedAt: number
  /** When it was taken. */
  at: number
}

export type Ledger = { add(entry: LedgerEntry): void; close(): void }

/**
 * An append-only file, synced with every line: what stands in it was accepted, whatever is killed
 * afterwards. A file that is there already is continued.
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

/** Every entry of a ledger file; a last line that a kill cut short is no entry. */
export function readLedger(file: string): LedgerEntry[] {
  if (!fs.existsSync(file)) return []
  const lines = fs.readFileSync(file, 'utf8').split('\n')
  return lines.slice(0, -1).map((line) => JSON.parse(line) as LedgerEntry)
}
