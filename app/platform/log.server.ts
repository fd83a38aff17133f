import { pino, type Logger } from 'pino'

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

/** JSON lines on standard output. Log ids and counts, never bodies: redaction is the second net. */
export function createLog(level: string, name: string): Logger {
  return pino({
    level,
    base: { process: name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
      censor: '[redacted]',
    },
  })
}
