import type { Incoming, Reply } from './exchange'

/** The body as a JSON object; null when it is none. */
export function objectIn({ body }: Pick<Incoming, 'body'>): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** JSON as FastAPI and its like send it: compact. */
export const compact = (
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): Reply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: Buffer.from(JSON.stringify(value)),
})

/** The clip's own answer; ranges, speeds and faults are put on it when it is sent. */
export const clipReply = (clip: Buffer, headers: Record<string, string> = {}): Reply => ({
  status: 200,
  headers: { 'content-type': 'video/mp4', ...headers },
  body: clip,
  isClip: true,
})

/** A field of text, or a number written as one; the fallback when it is missing or neither. */
export function textOf(value: unknown, fallback = ''): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value : fallback
}
