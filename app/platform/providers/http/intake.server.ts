import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { ProviderError, type FetchInto } from '../port'

type Opening = { headers: Readonly<Record<string, string>> }

/** The near end of a download: counts, checks and writes what comes, over several connections. */
export type Intake = {
  /** Aborts when the caller gives up, when nothing moves for `idleMs`, and when the sink fails. */
  signal: AbortSignal
  bytes(): number
  /** Headers that ask for the rest; null when nothing has come or the server cannot resume. */
  resume(): Readonly<Record<string, string>> | null
  /** Takes note of an answer. Throws ProviderError when it cannot be the clip, or its rest. */
  begin(answer: Opening): void
  /** Writes one piece. Throws ProviderError when the clip grows larger than allowed. */
  take(piece: Buffer): Promise<void>
  /** What is not right with what came, in words; null when it is whole. */
  missing(): string | null
  /** Ends the sink and waits until it has everything. Gives the size in bytes. */
  finish(): Promise<number>
  /** Why it cannot go on: the sink's own error, or ours for a download that stands still. */
  failure(): Error | null
  close(): void
}

type Plan = { total: number | null; etag: string | null; ranges: boolean; md5: string | null }

/** Opens the intake of one download. `close` must be called. */
export function openIntake({ sink, maxBytes, idleMs, signal }: FetchInto): Intake {
  const watch = watchSink(sink, idleMs)
  const both = AbortSignal.any([signal, watch.signal])
  const hash = createHash('md5')
  let plan: Plan = { total: null, etag: null, ranges: false, md5: null }
  let bytes = 0
  return {
    signal: both,
    bytes: () => bytes,
    resume() {
      if (bytes === 0 || !plan.ranges || plan.etag === null) return null
      return { range: `bytes=${bytes}-`, 'if-range': plan.etag }
    },
    begin(answer) {
      if (bytes > 0 && !isRestOf(answer, bytes, plan))
        throw transient('another rest came than asked')
      if (bytes === 0) plan = planOf(answer)
      if ((plan.total ?? 0) > maxBytes) throw protocol(tooLarge(maxBytes))
    },
    async take(piece) {
      watch.moved()
      bytes += piece.length
      if (bytes > maxBytes) throw protocol(tooLarge(maxBytes))
      hash.update(piece)
      if (!sink.write(piece)) await once(sink, 'drain', { signal: both })
      watch.moved()
    },
    missing() {
      if (bytes === 0) return 'it is empty'
      if (plan.total !== null && bytes !== plan.total) return `${bytes} of ${plan.total} bytes came`
      const isChanged = plan.md5 !== null && plan.md5 !== hash.copy().digest('base64')
      return isChanged ? 'its MD5 sum is another' : null
    },
    async finish() {
      watch.mayClose()
      sink.end()
      await finished(sink, { readable: false, signal: both })
      return bytes
    },
    failure: () => watch.failure(signal),
    close: () => watch.close(),
  }
}

function watchSink(sink: NodeJS.WritableStream, idleMs: number) {
  const halt = new AbortController()
  const failed: { error?: Error } = {}
  const onError = (error: Error): void => {
    failed.error = error
    halt.abort(error)
  }
  const onClose = (): void => onError(failed.error ?? new Error('the sink was closed'))
  sink.on('error', onError).on('close', onClose)
  const idle = setTimeout(() => halt.abort(stoodStill()), idleMs)
  return {
    signal: halt.signal,
    moved: () => idle.refresh(),
    mayClose: () => sink.off('close', onClose),
    failure(givenUp: AbortSignal): Error | null {
      if (failed.error !== undefined) return failed.error
      return halt.signal.aborted && !givenUp.aborted ? stoodStill() : null
    },
    close() {
      clearTimeout(idle)
      sink.off('error', onError).off('close', onClose)
    },
  }
}

function planOf({ headers }: Opening): Plan {
  const length = headers['content-length']
  const etag = headers.etag
  return {
    total: length === undefined ? null : Number(length),
    // A weak tag may stand for other bytes.
    etag: etag?.startsWith('"') ? etag : null,
    ranges: headers['accept-ranges'] !== 'none',
    md5: /(?:^|[,\s])md5=([\w+/=]+)/.exec(headers['x-goog-hash'] ?? '')?.[1] ?? null,
  }
}

function isRestOf({ headers }: Opening, from: number, { total }: Plan): boolean {
  const range = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(headers['content-range'] ?? '')
  if (range === null || Number(range[1]) !== from) return false
  return total === null || range[3] === '*' || Number(range[3]) === total
}

const tooLarge = (maxBytes: number): string => `the clip is larger than ${maxBytes} bytes`

function protocol(message: string): ProviderError {
  return new ProviderError({ kind: 'permanent', reason: 'protocol' }, 'accepted', { message })
}

const stoodStill = (): ProviderError => transient('the download stood still')

function transient(message: string): ProviderError {
  return new ProviderError({ kind: 'transient' }, 'accepted', { message })
}
