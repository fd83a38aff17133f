import { describe, expect, test } from 'vitest'
import { readPromptFile } from './prompt-file.server'

const read = (name: string, content: string | Uint8Array) =>
  readPromptFile({
    name,
    bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content,
  })

describe('a .txt file', () => {
  test('U-BULK-5: one prompt a line, trimmed, blank lines dropped, whatever ends a line', async () =>
    expect(await read('p.txt', '  a  \r\n\r\nb\rc\n{"scene": "x, y"}')).toEqual([
      'a',
      'b',
      'c',
      '{"scene": "x, y"}',
    ]))

  test.each([
    ['UTF-8 with its mark', new Uint8Array([0xef, 0xbb, 0xbf, 0xc3, 0xa9])],
    ['UTF-16, little end first', new Uint8Array([0xff, 0xfe, 0xe9, 0])],
    ['UTF-16, big end first', new Uint8Array([0xfe, 0xff, 0, 0xe9])],
    ['Latin as Windows writes it', new Uint8Array([0xe9])],
  ])('%s is understood', async (_name, bytes) => expect(await read('p.TXT', bytes)).toEqual(['é']))
})

describe('a .csv file', () => {
  test('the column headed prompt is taken, commas and quotes included', async () =>
    expect(
      await read('p.csv', 'id,Prompt,mood\n1,"A boat, in the ""rain""",calm\n2,Snow,'),
    ).toEqual(['A boat, in the "rain"', 'Snow']))

  test('semicolons and tabs separate as well', async () => {
    expect(await read('p.csv', 'id;prompt\n1;A boat, slow')).toEqual(['A boat, slow'])
    expect(await read('p.csv', 'prompt\tid\nA boat; slow\t1')).toEqual(['A boat; slow'])
  })

  test('without a heading every row is a prompt and keeps its commas', async () =>
    expect(await read('p.csv', 'A boat, in the rain\n"Snow, falling"\n')).toEqual([
      'A boat, in the rain',
      'Snow, falling',
    ]))

  test('JSON without quotation marks around it stays JSON', async () =>
    expect(await read('p.csv', 'prompt\n{"scene": "x", "mood": "calm"}')).toEqual([
      '{"scene": "x", "mood": "calm"}',
    ]))

  test('a sign that is cut between two pieces of the file stays whole', async () =>
    expect(await read('p.csv', `prompt\n${'x'.repeat(16_375)}🎬é🎬é🎬é`)).toEqual([
      `${'x'.repeat(16_375)}🎬é🎬é🎬é`,
    ]))

  test('a cell of several lines is one prompt', async () =>
    expect(await read('p.csv', 'prompt\n"A boat\n  in the rain"')).toEqual(['A boat in the rain']))
})

test.each([
  ['another kind of file', 'p.pdf', 'x', 'Choose a .txt or .csv file'],
  ['no file', '', '', 'Choose a .txt or .csv file'],
  ['nothing in it', 'p.txt', ' \n \n', 'There are no prompts in p.txt'],
  ['only a heading', 'p.csv', 'prompt\n', 'There are no prompts in p.csv'],
  ['a picture by another name', 'p.txt', '\x89PNG\r\n\x1a\n\0\0', 'p.txt is not a text file'],
  ['half a sign', 'p.txt', new Uint8Array([0xff, 0xfe, 0xe9]), 'p.txt is not a text file'],
  ['too many lines', 'p.txt', 'a\n'.repeat(5001), 'p.txt has more than 5,000 prompts'],
  ['too many rows', 'p.csv', 'a\n'.repeat(5001), 'p.csv has more than 5,000 prompts'],
  [
    'too many rows with a heading',
    'p.csv',
    'prompt,\n' + ',\n'.repeat(400_000),
    'p.csv has more than 5,000 prompts',
  ],
  ['too much', 'p.txt', 'x'.repeat(900 * 1024 + 1), 'The file is larger than 900 kB'],
])('%s is refused in words', (_name, name, content, message) =>
  expect(read(name, content)).rejects.toThrow(message),
)

test('a broken table names the line', () =>
  expect(read('p.csv', 'prompt\nfine\n"never closed')).rejects.toThrow(
    /^Line \d of p\.csv is no valid CSV/,
  ))
