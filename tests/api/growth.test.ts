import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { normalizeUsername } from '../../app/domain/accounts/names'
import { parseImport } from '../../app/domain/administration/import-rules'
import { readPromptFile } from '../../app/domain/batches/prompt-file.server'
import { findBrokenJson, parsePromptLines, problemsOf } from '../../app/domain/batches/rules'
import { bulkPromptsInput } from '../../app/domain/prompts/schemas'
import { addTokensInput } from '../../app/domain/tokens/schemas'
import { readChoice } from '../../app/domain/videos/choice'
import { findAccess } from '../../app/http/access'
import { holdsVersion } from '../../app/http/etag.server'
import { parseForm, readForm } from '../../app/http/form-data.server'
import { partOf } from '../../app/http/stored-file.server'
import { safeRedirect } from '../../app/lib/paths'
import { excerpt, fileNameWords, isCleanText } from '../../app/lib/text'

// One request is at most a megabyte. Whoever reads it may take time that grows with its length, not
// with the square of it: a web process does one thing at a time.

/** Processor time of the shortest of several runs: what else the machine does is not in it. */
async function shortest(run: () => unknown): Promise<number> {
  let best = Infinity
  for (let i = 0; i < 3; i++) {
    const from = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(from)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}

/** Below this the square of so many characters would never be: 10^11 steps take minutes. */
const NOTHING_MS = 8
/** Twice the input may take 2.3 times as long, four times the input so much. */
const GROWTH = 2.3 ** 2
/** A collection of garbage in the long run and none in the short one is no growth. */
const TRIES = 5

type Reader = (text: string) => unknown

async function growthOf(
  read: Reader,
  make: (size: number) => string,
  size = 100_000,
): Promise<number> {
  const [small, large] = [make(size), make(4 * size)]
  let least = Infinity
  for (let i = 0; i < TRIES && least > GROWTH; i++) {
    const largeMs = await shortest(() => read(large))
    if (largeMs < NOTHING_MS) return 1
    least = Math.min(least, largeMs / (await shortest(() => read(small))))
  }
  return least
}

/** Texts of about so many characters that have held parsers up, here or elsewhere. */
const HOSTILE: Record<string, (size: number) => string> = {
  'blanks in the middle': (size) => `a${' '.repeat(size)}b`,
  'line ends': (size) => '\n'.repeat(size),
  'blank lines with an end': (size) => `a${' \n'.repeat(size / 2)}b`,
  'carriage returns': (size) => `${'\r'.repeat(size)}a`,
  'commas and blanks': (size) => ', '.repeat(size / 2),
  'short lines': (size) => 'a\n'.repeat(size / 2),
  'quotation marks': (size) => '"'.repeat(size),
  'quoted cells': (size) => '"a" b,'.repeat(size / 6),
  'open braces': (size) => '{"a":'.repeat(size / 5),
  'lines that look like JSON': (size) => '{\n'.repeat(size / 2),
  pipes: (size) => '\\|'.repeat(size / 2),
  hyphens: (size) => `${'-'.repeat(size)}a`,
  slashes: (size) => `${'/'.repeat(size)}\\`,
  digits: (size) => `${'0'.repeat(size)}a`,
  signs: (size) => `${'+( '.repeat(size / 3)}a`,
  'half characters': (size) => '\ud83c\udfac'.repeat(size / 2),
}

const swallow = async (run: () => unknown) => {
  try {
    await run()
  } catch {
    // A refusal is an answer.
  }
}
const file = (name: string): Reader => {
  const encoder = new TextEncoder()
  return (text) => swallow(() => readPromptFile({ name, bytes: encoder.encode(text) }))
}

const READERS: Record<string, Reader> = {
  'a .txt file of prompts': file('p.txt'),
  'a .csv file of prompts': file('p.csv'),
  'the bulk box': (text) => {
    const lines = parsePromptLines(text)
    return [problemsOf(lines, 'Line'), findBrokenJson(lines)]
  },
  'an import of users': parseImport,
  'an import of prompts': (text) => bulkPromptsInput.safeParse({ prompts: text }),
  'an import of tokens': (text) => addTokensInput.safeParse({ tokens: text }),
  'a username': normalizeUsername,
  'a choice of videos': (text) => readChoice(new URLSearchParams({ ids: text, search: text })),
  'an address to go on to': (text) => [safeRedirect(text, '/'), safeRedirect(`/${text}`, '/')],
  'a path': (text) => findAccess(`/${text}`),
  'a range': (text) => [partOf(text, 10), partOf(`bytes=${text}`, 10)],
  'a list of tags': (text) => holdsVersion(text, 'W/"a"'),
  'a text': (text) => [isCleanText(text), excerpt(text, 100), fileNameWords(text)],
}

test.each(Object.entries(READERS))(
  'the time to read %s grows with its length, whatever is in it',
  async (_name, read) => {
    for (const [kind, make] of Object.entries(HOSTILE))
      expect(await growthOf(read, make), kind).toBeLessThan(GROWTH)
  },
)

describe('forms', () => {
  const schema = z.object({ a: z.array(z.string()).or(z.string()).optional() })
  const posted = (body: string, type: string) =>
    readForm(
      new Request('http://own/app', { method: 'POST', body, headers: { 'content-type': type } }),
    )
  const urlencoded: Reader = (text) =>
    swallow(async () => parseForm(schema, await posted(text, 'application/x-www-form-urlencoded')))
  const multipart: Reader = (text) =>
    swallow(async () => parseForm(schema, await posted(text, 'multipart/form-data; boundary=xx')))
  const part = (name: string, value = '') =>
    `--xx\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

  test.each<[string, Reader, (size: number) => string]>([
    ['one name again and again', urlencoded, (size) => 'a=&'.repeat(size / 3)],
    ['places of a list', urlencoded, (size) => `a[${size}]=`],
    ['a name of names', urlencoded, (size) => `a${'.b'.repeat(size / 2)}=`],
    ['a name of places', urlencoded, (size) => `a${'[0]'.repeat(size / 3)}=`],
    ['an escape after the other', urlencoded, (size) => `a=${'%25'.repeat(size / 3)}`],
    ['many parts', multipart, (size) => `${part('a').repeat(size / 54)}--xx--\r\n`],
    ['almost a border', multipart, (size) => `${part('a', '\r\n--x'.repeat(size / 5))}--xx--\r\n`],
    ['many headers', multipart, (size) => `--xx\r\n${'a: b\r\n'.repeat(size / 6)}\r\n\r\n--xx--`],
    ['no end', multipart, (size) => part('a', 'b'.repeat(size)).slice(0, -4)],
  ])('the time to read %s grows with its length', async (_name, read, make) =>
    expect(await growthOf(read, make, 200_000)).toBeLessThan(GROWTH),
  )

  test('a place far behind in a list takes no room', async () => {
    const data = await posted('a[4294967294]=1&a[1e9]=2', 'application/x-www-form-urlencoded')
    expect(parseForm(z.object({ a: z.string().optional() }), data)).toEqual({ ok: true, value: {} })
  })

  test('what a form may carry for its library of widgets changes nothing', async () => {
    const intent = JSON.stringify({ type: 'insert', payload: { name: 'a', index: 1e9 } })
    const body = new URLSearchParams({ __intent__: intent, __state__: '{', a: 'b' }).toString()
    const data = await posted(body, 'application/x-www-form-urlencoded')
    expect(parseForm(z.object({ a: z.string() }), data)).toEqual({ ok: true, value: { a: 'b' } })
  })
})
