import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino'
import { seconds } from '~/lib/time'

/** Field names whose values never reach a log line, wherever they stand. */
const SECRET_FIELDS = [
  'password',
  'oldPassword',
  'newPassword',
  'token',
  'bearerToken',
  'secret',
  'authorization',
  'cookie',
]

type LogOptions = { to?: DestinationStream; now?: () => number }

/**
 * JSON lines on standard output. Log ids and counts, never bodies: redaction is the second net. An
 * error that comes again and again, as while the database is away, is written a few times and then
 * counted. A line that names a request, a video or anything else is always written.
 */
export function createLog(level: string, name: string, { to, now }: LogOptions = {}): Logger {
  const countRepeats = openRepeats(now)
  const settings: LoggerOptions = {
    level,
    base: { process: name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    hooks: {
      logMethod(args, method) {
        const [facts, text] = args
        const error = bareError(facts)
        const repeats = error ? countRepeats(`${text ?? ''} ${error.message}`) : 0
        if (repeats === null) return
        // After a pause: how often it came meanwhile.
        if (repeats > 0) method.apply(this, [{ err: error, repeats }, text])
        else method.apply(this, args)
      },
    },
    redact: {
      paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
      censor: '[redacted]',
    },
  }
  return to ? pino(settings, to) : pino(settings)
}

/** The error of a line that says nothing else. */
function bareError(facts: unknown): Error | undefined {
  if (typeof facts !== 'object' || facts === null || !('err' in facts)) return undefined
  return facts.err instanceof Error && Object.keys(facts).length === 1 ? facts.err : undefined
}

const AT_ONCE = 5
const PAUSE_MS = seconds(30)
const MOST_KINDS = 200

/**
 * Answers a function that takes a line's words: null while it has been written often enough, else how
 * often it was left out since it was written last.
 */
function openRepeats(now = () => performance.now()): (words: string) => number | null {
  const kinds = new Map<string, { since: number; written: number; left: number }>()
  return (words) => {
    const kind = kinds.get(words)
    if (kind && now() - kind.since < PAUSE_MS) {
      if (kind.written >= AT_ONCE) {
        kind.left += 1
        return null
      }
      kind.written += 1
      return 0
    }
    if (kinds.size >= MOST_KINDS) kinds.clear()
    kinds.set(words, { since: now(), written: 1, left: 0 })
    return kind?.left ?? 0
  }
}
