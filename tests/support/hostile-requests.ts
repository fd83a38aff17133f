import { ACCESS } from '../../app/http/access/access'
import type { Rng } from './engine/trials'

/** A request that no well-meaning client sends. */
export type HostileRequest = {
  method: string
  path: string
  headers: Record<string, string>
  body: string | Uint8Array<ArrayBuffer> | null
}

const wordsOf = (text: string): string[] => text.trim().split(/\s+/)
const LONG = 'x'.repeat(5000)

const NUMBERS = wordsOf('0 -1 1.5 1e99 99999999999999999999 NaN Infinity -0 1_000 ١٢٣ 1,5')
const WORDS = wordsOf('null undefined true on a all admin user Starter Enterprise error completed')
const LETTERS = [
  '',
  ' ',
  'ü',
  '日本',
  '\u0000',
  'a\u0000b',
  '\u200b\u200b',
  '\ud800',
  '\u202e',
  '\uffff',
]
const PUNCTUATION = ['%', '%00', '\t', ',', ';', '|||||||||', '"', '""', '"a']
const JSON_PIECES = ['[]', '{}', '[[[[', '{"a":']
const CODE = [
  "' or 1=1 --",
  '"; drop table users',
  '${7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '=1+1',
]
const PLACES = wordsOf(String.raw`
  ../../etc/passwd ..\..\x file:///etc/passwd http://169.254.169.254/ //evil.example /\evil.example`)
const LINES = ['a\r\nSet-Cookie: x=1', 'a\nb']
const LENGTHS = [LONG, ...[' ', ',', '\n', 'é', '"', '('].map((sign) => sign.repeat(20_000))]
const MEANT = ['secret-1', '03001234567', '+92 300 1234567', 'portrait', 'landscape']
const TIMES = wordsOf('2026-02-30 2026-11-22T25:00:00Z 0001-01-01 275760-09-13')
const PROPERTIES = wordsOf('__proto__ constructor toString hasOwnProperty')

/** Values for any field. */
const VALUES: readonly string[] = [
  ...[NUMBERS, WORDS, LETTERS, PUNCTUATION, JSON_PIECES, CODE, PLACES],
  ...[LINES, LENGTHS, MEANT, TIMES, PROPERTIES],
].flat()

/** Field names of the forms and calls, and some unknown ones. */
const NAMES = [
  ...wordsOf(`
  prompt prompts negativePrompt aspectRatio promptLines cleanList carryOver queue part text tokens token username
  phone password oldPassword newPassword confirmPassword ownPassword code recoveryCode step role
  plan isActive videoLimit speedLimit videoGenerationSpeed expireDays expiryDate bearerToken users
  id ids promptId promptIds formKey to redirectTo returnTo from on dialog mode scope status page
  limit search sort since kind actor action subject state filter count typed choice theme link
  renew day reset offset after before`),
  ...PROPERTIES,
  ...['a[b]', 'a[1000000]', 'ids[]', '', 'x'.repeat(300)],
]

/** Intents of the forms of pages, and some unknown ones. */
const INTENTS = wordsOf(`
  generate start-batch review-batch add-file run-part run-part-hold run-over-days list-over-days queue-batch queue-list move-up leave-line undo-prompt undo-batch stop-batch retry-all retry
  regenerate edit delete delete-all delete-selected create-user quick-create edit-user delete-user
  renew password-link second-factor-off reset-counter reset-all restore restore-all undo add-token
  add-tokens remove remove-all set-daily unpin use create update regenerate-all regenerate-selected
  cancel-regeneration stop-change start confirm off change-password end-chosen end-others skip
  nothing-of-ours __proto__ constructor`)

const HEADERS: readonly [string, readonly string[]][] = [
  ['accept', ['text/html', 'application/json', '*/*', 'image/webp', '', 'a'.repeat(2000)]],
  [
    'range',
    [
      'bytes=0-',
      'bytes=-1',
      'bytes=9-1',
      'bytes=0-0,2-3',
      'bytes=99999999999999999999-',
      'lines=1',
    ],
  ],
  ['if-none-match', ['*', '"x"', 'W/"1"', '"', LONG]],
  ['if-range', ['"x"', 'yesterday']],
  ['if-modified-since', ['yesterday', 'Sun, 22 Nov 2026 21:00:00 GMT']],
  ['idempotency-key', ['x', 'x'.repeat(200), 'x'.repeat(201), 'two words', 'a|b']],
  ['accept-encoding', ['gzip', 'br', 'identity;q=0', 'x']],
  ['x-forwarded-for', ['1.2.3.4', '::1, ::2', 'x'.repeat(500)]],
  ['x-request-id', ['a'.repeat(64), 'a b', '../../x']],
  [
    'user-agent',
    [
      '',
      LONG,
      '((((((((',
      'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
    ],
  ],
  ['x-remix-fetch', ['yes']],
]

const ROUTES = Object.entries(ACCESS).filter(([path]) => path !== '/metrics')
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']
const some = <T>(rng: Rng, most: number, make: () => T): T[] =>
  Array.from({ length: rng.below(most + 1) }, make)

/**
 * In bytes, without the names of headers and the client's own ones. Node refuses heads over 16 kB before the
 * product sees them, on a used connection by closing it (tests/http/hostile.test.ts).
 */
const LONGEST_HEAD = 14_000

/**
 * Returns a random hostile request. `ids` belong to existing rows; `proof` is the sender's form
 * token, or ''.
 */
export function hostileRequest(
  rng: Rng,
  { ids, proof }: { ids: readonly string[]; proof: string },
): HostileRequest {
  const [route, entry] = rng.pick(ROUTES)
  const method = rng.below(5) === 0 ? rng.pick(METHODS) : rng.pick(Object.keys(entry))
  const value = () => (rng.below(4) === 0 ? rng.pick(ids) : rng.pick(VALUES))
  const inPath = () => encodeURIComponent(wellFormed(value()).slice(0, 600))
  const path = route
    .replace(/:\w+/g, () => (rng.below(2) === 0 ? rng.pick(ids) : inPath()))
    .replace('*', () => some(rng, 3, inPath).join('/'))
  const query = new URLSearchParams(
    some(rng, 3, () => [rng.pick(NAMES), wellFormed(value()).slice(0, 1000)]),
  )
  if (rng.below(6) === 0) query.append('_data', rng.pick(['root', 'routes/_user+/app', LONG]))
  const headers: Record<string, string> = {
    'sec-fetch-site': 'same-origin',
    ...Object.fromEntries(
      some(rng, 2, () => {
        const [name, values] = rng.pick(HEADERS)
        return [name, rng.pick(values)]
      }),
    ),
  }
  const long = query.size > 0 ? `${path}?${query}` : path
  const address = long.slice(0, LONGEST_HEAD - Object.values(headers).join('').length)
  if (['GET', 'HEAD'].includes(method)) return { method, path: address, headers, body: null }
  return { method, path: address, ...withBody(rng, { path, headers, value, proof }) }
}

/** URLs and forms are UTF-8, which has no unpaired surrogates. */
const wellFormed = (text: string) => Buffer.from(text, 'utf8').toString('utf8')

type Parts = {
  path: string
  headers: Record<string, string>
  value: () => string
  proof: string
}

function withBody(rng: Rng, { path, headers, value, proof }: Parts) {
  const isCall = path.startsWith('/api/') || path.startsWith('/resources/videos/')
  const kind = rng.below(8)
  if (kind === 0) return { headers, body: Uint8Array.of(0x7b, 0xff, 0xfe, 0, rng.below(256), 0x7d) }
  if (isCall ? kind > 1 : kind === 1) {
    const body = JSON.stringify(
      Object.fromEntries(some(rng, 8, () => [rng.pick(NAMES), json(rng, value, 0)])),
    )
    // One in ten is truncated.
    const sent = rng.below(10) === 0 ? body.slice(0, rng.below(body.length + 1)) : body
    return { headers: { ...headers, 'content-type': 'application/json' }, body: sent }
  }
  const fields: [string, string][] = [
    ...(rng.below(10) === 0 ? [] : ([['formToken', proof]] as [string, string][])),
    ['intent', rng.pick(INTENTS)],
    ...some(rng, 10, (): [string, string] => [rng.pick(NAMES), wellFormed(value())]),
  ]
  if (kind === 2) return multipart(rng, headers, [...fields, ['file', wellFormed(value())]])
  const type = 'application/x-www-form-urlencoded'
  return {
    headers: { ...headers, 'content-type': type },
    body: new URLSearchParams(fields).toString(),
  }
}

function json(rng: Rng, value: () => string, depth: number): unknown {
  const kind = rng.below(depth > 3 ? 5 : 8)
  if (kind < 2) return value()
  if (kind === 2) return rng.pick([0, -1, 1.5, 1e308, -0, 2 ** 53])
  if (kind === 3) return rng.pick([true, false, null])
  if (kind === 4) return [value(), value()]
  if (kind === 5) return some(rng, 5, () => json(rng, value, depth + 1))
  if (kind === 6) return Array.from({ length: rng.pick([101, 2000]) }, () => value().slice(0, 20))
  return Object.fromEntries(
    some(rng, 5, () => [rng.pick(NAMES), json(rng, value, depth + 1)] as const),
  )
}

function multipart(rng: Rng, headers: Record<string, string>, fields: [string, string][]) {
  const boundary = 'between'
  const part = ([name, text]: [string, string]) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name.slice(0, 50)}"` +
    (name === 'file' ? `; filename="${rng.pick(['a.csv', 'a.txt', '../a.csv', 'a.exe'])}"` : '') +
    `\r\n\r\n${text}\r\n`
  const end = rng.below(8) === 0 ? '' : `--${boundary}--\r\n`
  return {
    headers: { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: fields.map(part).join('') + end,
  }
}
