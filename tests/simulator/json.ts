import type { Incoming, Reply } from './exchange'

/** Returns the body as a JSON object; null if it is none. */
export function objectIn({ body }: Pick<Incoming, 'body'>): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** Returns compact JSON, as FastAPI and similar servers send it. */
export const compact = (
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): Reply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: Buffer.from(JSON.stringify(value)),
})

/** Returns the reply with a clip. Ranges, speeds and faults are applied when it is sent. */
export const clipReply = (clip: Buffer, headers: Record<string, string> = {}): Reply => ({
  status: 200,
  headers: { 'content-type': 'video/mp4', ...headers },
  body: clip,
  isClip: true,
})

/** Returns the bytes of a base64 text if they are a JPEG; null otherwise. */
export function jpegIn(base64: unknown): Buffer | null {
  const bytes = Buffer.from(textOf(base64), 'base64')
  return isJpeg(bytes) ? bytes : null
}

/** Returns whether bytes begin and end like a JPEG. */
export const isJpeg = (bytes: Buffer): boolean =>
  bytes.length > 4 &&
  bytes.readUInt16BE(0) === 0xffd8 &&
  bytes.readUInt16BE(bytes.length - 2) === 0xffd9

/** Returns a text, or a number as text; the fallback if the value is neither. */
export function textOf(value: unknown, fallback = ''): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value : fallback
}
