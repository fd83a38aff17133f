import { createHash, type Hash } from 'node:crypto'
import { startRunningTimer } from '~/lib/running-time'
import { ProviderError, type FetchInto } from '../port'

/**
 * The receiving side of a download: counts, checks and writes bytes, over one or more connections.
 */
export type DownloadSink = {
  /** Aborts when the caller aborts or the host sends nothing for `idleMs`. */
  signal: AbortSignal
  /** Returns the number of bytes in the file. */
  bytes(): number
  /**
   * Returns the host's version identifier for those bytes, or null if the download cannot be
   * resumed.
   */
  version(): string | null
  /** Empties the file. The bytes that follow are a clip of this version, from its first byte. */
  restart(version: string | null): Promise<void>
  /**
   * Sets the expected size and MD5 sum of the whole clip. Throws ProviderError if it is too large.
   */
  expect(whole: Whole): void
  /** Writes one piece. Throws ProviderError if the clip becomes larger than allowed. */
  take(piece: Buffer): Promise<void>
  /**
   * Returns what is wrong with the received bytes, in words, or null if the clip is complete.
   * Discards the bytes if they do not match the expected clip, and keeps them if they are only
   * incomplete.
   */
  missing(): Promise<string | null>
  /** Returns why the download cannot continue: the file's own error, or ours for a silent host. */
  failure(): Error | null
  close(): void
}

/** The size in bytes and the MD5 sum in base64; null if the host does not send them. */
export type Whole = { total: number | null; md5: string | null }

/** Opens the sink of one download. `close` must be called. */
export function openSink({ file, maxBytes, idleMs, signal }: FetchInto): DownloadSink {
  const idle = watchIdle(idleMs)
  const writing = guardFile()
  let whole: Whole = { total: null, md5: null }
  // An MD5 sum needs every byte, so it is only computed for a clip that was started in this call.
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
      // Time spent on a slow disk must not count as silence of the host.
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

/** Records the file's own error, so that a full disk is not reported as the provider's fault. */
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
  return new ProviderError({ kind: 'permanent', reason: 'broken-clip' }, 'accepted', { message })
}

const stoodStill = (): ProviderError =>
  new ProviderError({ kind: 'transient' }, 'accepted', { message: 'the download stood still' })
