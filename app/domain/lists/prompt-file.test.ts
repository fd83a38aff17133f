import { describe, expect, test } from 'vitest'
import { promptsIn, readPromptTable } from './prompt-file.server'

const read = async (name: string, content: string | Uint8Array) =>
  promptsIn(
    await readPromptTable({
      name,
      bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content,
    }),
  )

describe('a .txt file', () => {
  test('U-BULK-5: one prompt per line, trimmed, without blank lines, for any line ending', async () =>
    expect(await read('p.txt', '  a  \r\n\r\nb\rc\n{"scene": "x, y"}')).toEqual([
      'a',
      'b',
      'c',
      '{"scene": "x, y"}',
    ]))

  test.each([
    ['UTF-8 with a byte order mark', new Uint8Array([0xef, 0xbb, 0xbf, 0xc3, 0xa9])],
    ['UTF-16, little-endian', new Uint8Array([0xff, 0xfe, 0xe9, 0])],
    ['UTF-16, big-endian', new Uint8Array([0xfe, 0xff, 0, 0xe9])],
    ['Windows-1252', new Uint8Array([0xe9])],
  ])('%s is decoded', async (_name, bytes) => expect(await read('p.TXT', bytes)).toEqual(['é']))
})

test.each(['p.jsonl', 'p.ndjson'])(
  'U-BULK-2: %s has a prompt in each line, a JSON object as it is',
  async (name) =>
    expect(await read(name, '{"scene": "x, y"}\n\n{"scene": "z"}\n')).toEqual([
      '{"scene": "x, y"}',
      '{"scene": "z"}',
    ]),
)

describe('a .csv file', () => {
  test('reads the column headed prompt, with commas and quotes', async () =>
    expect(
      await read('p.csv', 'id,Prompt,mood\n1,"A boat, in the ""rain""",calm\n2,Snow,'),
    ).toEqual(['A boat, in the "rain"', 'Snow']))

  test('semicolons and tabs are accepted as delimiters', async () => {
    expect(await read('p.csv', 'id;prompt\n1;A boat, slow')).toEqual(['A boat, slow'])
    expect(await read('p.csv', 'prompt\tid\nA boat; slow\t1')).toEqual(['A boat; slow'])
  })

  test('a row has at most 10,000 cells, and the heading is among the first 1,000', async () => {
    const wide = (n: number) => `${','.repeat(n)}prompt,x\n${','.repeat(n)}A boat,x`
    expect(await read('p.csv', wide(900))).toEqual(['A boat'])
    expect(await read('p.csv', wide(1100))).toHaveLength(2)
    await expect(read('p.csv', wide(10_000))).rejects.toThrow(
      'A row of p.csv has more than 10,000 cells',
    )
  })

  test('without a heading each row is a prompt and keeps its commas', async () =>
    expect(await read('p.csv', 'A boat, in the rain\n"Snow, falling"\n')).toEqual([
      'A boat, in the rain',
      'Snow, falling',
    ]))

  test('JSON in an unquoted cell is kept intact', async () =>
    expect(await read('p.csv', 'prompt\n{"scene": "x", "mood": "calm"}')).toEqual([
      '{"scene": "x", "mood": "calm"}',
    ]))

  test('a character that spans two pieces of the file is kept intact', async () =>
    expect(await read('p.csv', `prompt\n${'x'.repeat(16_375)}🎬é🎬é🎬é`)).toEqual([
      `${'x'.repeat(16_375)}🎬é🎬é🎬é`,
    ]))
})

test.each([
  ['another kind of file', 'p.pdf', 'x', 'Choose a .xlsx, .txt, .tsv, .jsonl or .csv file'],
  ['no file', '', '', 'Choose a .xlsx, .txt, .tsv, .jsonl or .csv file'],
  ['an empty file', 'p.txt', ' \n \n', 'There are no prompts in p.txt'],
  ['only a heading', 'p.csv', 'prompt\n', 'There are no prompts in p.csv'],
  ['an image named .txt', 'p.txt', '\x89PNG\r\n\x1a\n\0\0', 'p.txt is not a text file'],
  ['half a character', 'p.txt', new Uint8Array([0xff, 0xfe, 0xe9]), 'p.txt is not a text file'],
  ['too many lines', 'p.txt', 'a\n'.repeat(5001), 'p.txt has more than 5,000 prompts'],
  ['too many rows', 'p.csv', 'a\n'.repeat(5001), 'p.csv has more than 5,000 prompts'],
  [
    'too many rows with a heading',
    'p.csv',
    'prompt,\n' + ',\n'.repeat(400_000),
    'p.csv has more than 5,000 prompts',
  ],
  ['too large a file', 'p.txt', 'x'.repeat(900 * 1024 + 1), 'The file is larger than 900 kB'],
])('%s is rejected with a message', (_name, name, content, message) =>
  expect(read(name, content)).rejects.toThrow(message),
)

test('the error for a malformed table names the line', () =>
  expect(read('p.csv', 'prompt\nfine\n"never closed')).rejects.toThrow(
    /^Line \d of p\.csv is not valid CSV/,
  ))
