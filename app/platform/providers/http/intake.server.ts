import { createHash, type Hash } from 'node:crypto'
import { startRunningTimer } from '~/lib/running-time'
import { ProviderError, type FetchInto } from '../port'

/** The near end of a download: counts, checks and writes what comes, over several connections. */
export type Intake = {
  /** Aborts when the caller gives up and when the host sends nothing for `idleMs`. */
  signal: AbortSignal
  /** How many bytes the file holds. */
  bytes(): number
  /** What the host calls the content those bytes belong to; null when it cannot be gone on with. */
  version(): string | null
  /** Empties the file: what follows is a clip of this version, from its first byte. */
  restart(version: string | null): Promise<void>
  /** Takes note of what the host says of the whole clip. Throws ProviderError when it is too large. */
  expect(whole: Whole): void
  /** Writes one piece. Throws ProviderError when the clip grows larger than allowed. */
  take(piece: Buffer): Promise<void>
  /**
   * What is not right with what came, in words; null when it is whole. Bytes that belong to no clip
   * are thrown away, those of a part are kept.
   */
  missing(): Promise<string | null>
  /** Why it cannot continue: the file's own error, or ours for a host that sends nothing. */
  failure(): Error | null
  close(): void
}

/** Size in bytes and MD5 sum in base64; null where the host does not name them. */
export type Whole = { total: number | null; md5: string | null }

/** Opens the intake of one download. `close` must be called. */
export function openIntake({ file, maxBytes, idleMs, signal }: FetchInto): Intake {
  const idle = watchIdle(idleMs)
  const writing = guardFile()
  let whole: Whole = { total: null, md5: null }
  // An MD5 sum needs every byte, so it is known only of a clip that was begun in this call.
  let hash: Hash | null = null
  const restart = async (version: string | null): Promise<void> => {
    hash = createHash('md5')
    await writing.run(() => file.restart(version))
  }
  return {
    signal: AbortSignal.any([signal, idle.signal]),
    bytes: () => file.bytes(),
    version: () => (file.bytes() === 0 ? null : file.version()),
    restart,
    expect(said) {
      idle.moved()
      whole = said
      if ((said.total ?? 0) > maxBytes) throw tooLarge(maxBytes)
    },
    async take(piece) {
      if (file.bytes() + piece.length > maxBytes) throw tooLarge(maxBytes)
      hash?.update(piece)
      // A slow disk is not a host that sends nothing.
      idle.pause()
      await writing.run(() => file.write(piece))
      idle.moved()
    },
    async missing() {
      const bytes = file.bytes()
      if (bytes === 0) return 'it is empty'
      const { total, md5 } = whole
      if (total !== null && bytes < total) return `${bytes} of ${total} bytes came`
      const isOther = md5 !== null && hash !== null && md5 !== hash.copy().digest('base64')
      if (!isOther && (total === null || bytes === total)) return null
      await restart(null)
      return isOther ? 'its MD5 sum is another' : `${bytes} bytes came instead of ${total}`
    },
    failure: () => writing.error() ?? (idle.isOver() && !signal.aborted ? stoodStill() : null),
    close: () => idle.pause(),
  }
}

function watchIdle(idleMs: number) {
  const halt = new AbortController()
  const timer = startRunningTimer(idleMs, () => halt.abort(stoodStill()))
  return {
    signal: halt.signal,
    isOver: () => halt.signal.aborted,
    pause: timer.stop,
    moved: timer.restart,
  }
}

/** Remembers the file's own error: a full disk is no provider's fault. */
function guardFile() {
  const failed: { error?: Error } = {}
  return {
    error: (): Error | null => failed.error ?? null,
    async run(work: () => Promise<void>): Promise<void> {
      try {
        await work()
      } catch (error) {
        failed.error = error instanceof Error ? error : new Error(String(error))
        throw failed.error
      }
    },
  }
}

function tooLarge(maxBytes: number): ProviderError {
  const message = `the clip is larger than ${maxBytes} bytes`
  return new ProviderError({ kind: 'permanent', reason: 'protocol' }, 'accepted', { message })
}

const stoodStill = (): ProviderError =>
  new ProviderError({ kind: 'transient' }, 'accepted', { message: 'the download stood still' })
