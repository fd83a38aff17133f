import { z } from 'zod'
import { normalizeUsername } from '../../app/domain/names/names'
import { parseImport } from '../../app/domain/administration/imports/import-table.server'
import { isForList } from '../../app/domain/lists/pasted-text'
import { readPromptTable } from '../../app/domain/lists/prompt-file.server'
import { findBrokenJson, parsePromptLines, problemsOf } from '../../app/domain/batches/rules'
import { startBatchForm } from '../../app/domain/batches/schemas'
import { bulkPromptsInput } from '../../app/domain/prompts/schemas'
import { addTokensInput } from '../../app/domain/tokens/schemas'
import { readChoice } from '../../app/domain/videos/gallery/choice'
import { findAccess } from '../../app/http/access/access'
import { holdsVersion } from '../../app/http/responses/etag.server'
import { parseForm, readForm } from '../../app/http/forms/form-data.server'
import { partOf } from '../../app/http/endpoints/stored-file.server'
import { safeRedirect } from '../../app/lib/paths'
import { excerpt, fileNameWords, isCleanText } from '../../app/lib/text'

// All parsers of untrusted input, with texts that slow such parsers down. The tests run each with a
// megabyte of each text; the bench measures how the time grows.

type Text = (size: number) => string
/** A parser, and a function that makes its input of about `size` characters. */
export type Parsing = { name: string; read: (text: string) => unknown; make: Text }

/** Texts that have slowed parsers down, here or elsewhere. */
const HOSTILE: Record<string, Text> = {
  'blanks between two letters': (size) => `a${' '.repeat(size)}b`,
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
  'surrogate pairs': (size) => '\ud83c\udfac'.repeat(size / 2),
}

const swallow = async (run: () => unknown) => {
  try {
    await run()
  } catch {
    // A refusal is a valid result.
  }
}
const file = (name: string): Parsing['read'] => {
  const encoder = new TextEncoder()
  return (text) => swallow(() => readPromptTable({ name, bytes: encoder.encode(text) }))
}

const READERS: Record<string, Parsing['read']> = {
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
  'a selection of videos': (text) => readChoice(new URLSearchParams({ ids: text, search: text })),
  'a redirect target': (text) => [safeRedirect(text, '/'), safeRedirect(`/${text}`, '/')],
  'a path': (text) => findAccess(`/${text}`),
  'a range': (text) => [partOf(text, 10), partOf(`bytes=${text}`, 10)],
  'a list of ETags': (text) => holdsVersion(text, 'W/"a"'),
  'a text': (text) => [isCleanText(text), excerpt(text, 100), fileNameWords(text)],
}

const schema = z.object({ a: z.array(z.string()).or(z.string()).optional() })

/** Reads a form as our routes do. */
export const posted = (body: string, type: string): ReturnType<typeof readForm> =>
  readForm(
    new Request('http://own/app', { method: 'POST', body, headers: { 'content-type': type } }),
  )

const urlencoded = (text: string) =>
  swallow(async () => parseForm(schema, await posted(text, 'application/x-www-form-urlencoded')))
const multipart = (text: string) =>
  swallow(async () => parseForm(schema, await posted(text, 'multipart/form-data; boundary=xx')))
const part = (name: string, value = '') =>
  `--xx\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

const FORMS: readonly [string, Parsing['read'], Text][] = [
  ['one name repeated', urlencoded, (size) => 'a=&'.repeat(size / 3)],
  ['an index of a list', urlencoded, (size) => `a[${size}]=`],
  ['a nested name', urlencoded, (size) => `a${'.b'.repeat(size / 2)}=`],
  ['a name with nested indexes', urlencoded, (size) => `a${'[0]'.repeat(size / 3)}=`],
  ['repeated escapes', urlencoded, (size) => `a=${'%25'.repeat(size / 3)}`],
  ['many parts', multipart, (size) => `${part('a').repeat(size / 54)}--xx--\r\n`],
  [
    'incomplete boundaries',
    multipart,
    (size) => `${part('a', '\r\n--x'.repeat(size / 5))}--xx--\r\n`,
  ],
  ['many headers', multipart, (size) => `--xx\r\n${'a: b\r\n'.repeat(size / 6)}\r\n\r\n--xx--`],
  ['a missing end', multipart, (size) => part('a', 'b'.repeat(size)).slice(0, -4)],
]

/** Every parser with every text that could slow it down. */
export const PARSINGS: readonly Parsing[] = [
  ...Object.entries(READERS).flatMap(([reader, read]) =>
    Object.entries(HOSTILE).map(([kind, make]) => ({ name: `${reader}: ${kind}`, read, make })),
  ),
  ...FORMS.map(([kind, read, make]) => ({ name: `a form: ${kind}`, read, make })),
]

type Limited = {
  name: string
  limit: string
  read: (text: string) => unknown
  /** A text beyond the limit, of 800 kB, and one within. */
  worst: string
  within: string
  /** Part of what is said. */
  words: string
  /** The longest text on which the parser may work meanwhile. */
  most: number
}

const LINES = {
  limit: '20,000 lines',
  worst: 'a,b|c\n'.repeat(133_000),
  within: 'a,b|c\n'.repeat(50),
}
const refusalOf = (run: () => unknown) =>
  Promise.resolve()
    .then(run)
    .catch((error: unknown) => String(error))
const encoded = (text: string) => new TextEncoder().encode(text)
const toldBy = (schema: z.ZodTypeAny, name: string) => (text: string) =>
  schema.safeParse({ [name]: text }).error?.issues ?? []

/** The texts that people and programs send, each with its limit. */
export const LIMITED: readonly Limited[] = [
  {
    name: 'the bulk box',
    ...LINES,
    read: toldBy(startBatchForm, 'promptLines'),
    words: 'more than 20,000 lines',
    most: 200,
  },
  {
    name: 'the bulk box',
    limit: 'no variants in a line of more than 20,000 characters',
    worst: '{a|b}'.repeat(160_000),
    within: '{a|b}',
    read: (text) => String(isForList(text)),
    words: 'false',
    // Split into lines.
    most: 800_000,
  },
  {
    name: 'an import of users',
    ...LINES,
    read: parseImport,
    words: 'more than 20,000 lines',
    most: 200,
  },
  {
    name: 'an import of users',
    limit: '20,000 characters in a line',
    worst: '"a" b,'.repeat(133_000),
    within: `923001234567|${'x'.repeat(10_000)}`,
    read: parseImport,
    words: 'has more than 20,000 characters',
    // Looked through for line ends and a byte order mark.
    most: 800_000,
  },
  {
    name: 'an import of prompts',
    ...LINES,
    read: toldBy(bulkPromptsInput, 'prompts'),
    words: 'more than 20,000 lines',
    most: 200,
  },
  {
    name: 'an import of tokens',
    ...LINES,
    read: toldBy(addTokensInput, 'tokens'),
    words: 'more than 20,000 lines',
    most: 200,
  },
  {
    name: 'a .txt file of prompts',
    ...LINES,
    read: (text) => refusalOf(() => readPromptTable({ name: 'p.txt', bytes: encoded(text) })),
    words: 'p.txt has more than 20,000 lines',
    most: 200,
  },
  {
    name: 'a username',
    limit: '1,000 characters are read',
    worst: '+( '.repeat(266_000),
    within: '923001234567',
    read: (text) => String(normalizeUsername(text).length < 1001 && text.length > 1000),
    words: 'true',
    most: 1_000,
  },
]
