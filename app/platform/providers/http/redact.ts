import { excerpt } from '~/lib/text'

const MOST_CHARACTERS = 400
const SHORTEST_SECRET = 4

const PATTERNS = [
  /-----BEGIN[^-]*-----.*?(-----END[^-]*-----|$)/gs,
  /\bbearer\s+[\w.~+/=-]{4,}/gi,
  /\b(key|api_?key|(access_)?token|password|secret|_?jwt|assertion)["']?\s*[=:]\s*["']?[\w.~+/%=-]{8,}/gi,
  /\bAIza[\w-]{8,}/g,
  /\bya29\.[\w.-]+/g,
  /\b(sk|rk|key)[-_][\w-]{12,}/g,
] as const

/**
 * Returns a provider's text in a form that may be stored and shown to an operator: without the
 * given secrets or anything that looks like a credential, on one line, at most 400 characters long.
 */
export function redact(text: string, secrets: readonly string[]): string {
  let words = text.slice(0, 64 * MOST_CHARACTERS)
  for (const secret of secrets) {
    if (secret.length < SHORTEST_SECRET) continue
    for (const spelling of [secret, encodeURIComponent(secret)]) {
      words = words.replaceAll(spelling, '[redacted]')
    }
  }
  for (const pattern of PATTERNS) words = words.replaceAll(pattern, '[redacted]')
  const line = words.replaceAll(/[\u0000-\u001f\u007f\s]+/g, ' ').trim()
  // Half of a character cannot be stored.
  return excerpt(line.replaceAll(/\p{Surrogate}/gu, '\ufffd'), MOST_CHARACTERS)
}
