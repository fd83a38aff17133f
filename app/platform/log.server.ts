import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino'
import { seconds } from '~/lib/time'

/** Field names whose values are never written to the log, at any depth. */
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

/** Characters that wait for a slow reader of the log. Further lines are dropped. */
const MOST_WAITING = 4_000_000

type LogOptions = { to?: DestinationStream; now?: () => number }

/**
 * Creates a logger that writes JSON lines to standard output. Log ids and counts, never bodies:
 * redaction is only the second line of defence. An error that repeats, as in a database outage, is
 * written a few times and then counted. A line with further fields, such as a request or a video,
 * is always written, unless nobody reads the log.
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
        // Written again after a pause, with the number of omitted lines.
        if (repeats > 0) method.apply(this, [{ err: error, repeats }, text])
        else method.apply(this, args)
      },
    },
    redact: {
      paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
      censor: '[redacted]',
    },
  }
  return pino(settings, to ?? pino.destination({ dest: 1, minLength: 0, maxLength: MOST_WAITING }))
}

/** Returns the error of a log line that has no other fields. */
function bareError(facts: unknown): Error | undefined {
  if (typeof facts !== 'object' || facts === null || !('err' in facts)) return undefined
  return facts.err instanceof Error && Object.keys(facts).length === 1 ? facts.err : undefined
}

const AT_ONCE = 5
const PAUSE_MS = seconds(30)
const MOST_KINDS = 200

/**
 * Returns a function that decides by a line's text whether to write it. It returns null if the line
 * has been written often enough, else the number of times it was omitted since it was last written.
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
