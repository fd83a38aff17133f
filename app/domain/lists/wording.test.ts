import { describe, expect, test } from 'vitest'
import { namesOf } from './list-prompts.server'
import { settingsIn } from './list-settings.server'
import { countWritten, hasPlace, hasVariants, unknownPlaces, worded, writtenOut } from './wording'

describe('variants', () => {
  test.each([
    ['A {red|blue} kite', ['A red kite', 'A blue kite']],
    [
      '{A| Two } {red|blue} kites',
      ['A red kites', 'A blue kites', 'Two red kites', 'Two blue kites'],
    ],
    ['A kite{| at night}', ['A kite', 'A kite at night']],
    ['A kite {in rain}', ['A kite {in rain}']],
    ['{"scene": "a|b"}', ['{"scene": "a|b"}']],
    ['{"a": {"b": 1}, "c": "x|y"}', ['{"a": {"b": 1}, "c": "x|y"}']],
    ['A | B', ['A | B']],
    ['A kite {|} and { | |}', ['A kite {|} and { | |}']],
  ])('%j', (text, texts) => {
    expect(writtenOut(text)).toEqual(texts)
    expect(countWritten(text)).toBe(texts.length)
    expect(hasVariants(text)).toBe(texts.length > 1)
  })

  test('very many are counted without being written', () =>
    expect(countWritten('{a|b|c|d|e|f|g|h|i|j}'.repeat(12))).toBe(1e12))
})

describe('X10: braces with a bar that are left are marked before anything is paid', () => {
  const leftIn = (text: string) => writtenOut(text).map(hasPlace)

  test.each([
    'A {red|{dark|light} blue} kite',
    '{a|{b|{c|d}}} end',
    'A {0.7::red|0.3::blue} kite',
    'A {2$$red|blue|green} kite',
    String.raw`A \{red|blue\} kite`,
    '{scene: a kite, tone: red|blue}',
  ])('%j', (text) => expect(leftIn(text)).not.toContain(false))

  test.each(['A {red|blue} kite', '{"scene": "a|b"}', 'A | B', '} | {'])('not %j', (text) =>
    expect(leftIn(text)).not.toContain(true),
  )

  test('a cell or a wording that is filled in', () => {
    const row = { names: ['Size'], cells: ['{big|small}'] }
    expect(hasPlace(worded('A {size} kite', '', row))).toBe(true)
    expect(writtenOut('A {red|{size}} kite').every(hasPlace)).toBe(true)
  })
})

describe('wordings', () => {
  const row = { names: ['Animal', 'Where  to', 'Prompt'], cells: ['cat', ' the sea ', 'unused'] }

  test.each([
    ['{prompt}, 35 mm film', 'A kite, 35 mm film'],
    ['A { animal } at {WHERE TO}: {Prompt}', 'A cat at the sea: A kite'],
    ['Price $& {animal}', 'Price $& cat'],
  ])('%j', (wording, text) => expect(worded(wording, 'A kite', row)).toBe(text))

  test('X10: equal headings have names of their own, a bar in a heading makes no variants, and both are said', () => {
    const columns = ['Animal', 'A|B', 'animal', '', 'Animal 2'].map((heading) => ({
      heading,
      role: 'other' as const,
    }))
    const table = {
      columns,
      rows: [['cat', 'x', 'dog', 'y', 'cow']],
      column: 3,
      above: 0,
      encoding: 'utf-8' as const,
      isDoubtful: false,
    }
    const names = namesOf(table)
    expect(names).toEqual(['Animal', 'A/B', 'animal 2', 'Column 4', 'Animal 2 2'])
    const cells = table.rows[0]!
    const wording = names.map((name) => `{${name}}`).join(' ')
    expect(writtenOut(wording)).toEqual([wording])
    expect(worded(wording, 'y', { names, cells })).toBe('cat x dog y cow')
    const { notes } = settingsIn(table, new Set([0]), { hasOwn: true, wording: null })
    expect(notes).toContain('In a wording, the column "A|B" is {A/B}')
    expect(notes).toContain('In a wording, the column "animal" is {animal 2}')
    const used = settingsIn(table, new Set([0]), { hasOwn: true, wording: '{A/B} {animal 2}' })
    expect(used.notes).toContain('Not used: "Animal", "Animal 2"')
  })

  test('names that are no column are found', () =>
    expect(unknownPlaces('{prompt} {animal} {Colour} {a|b}', row.names)).toEqual(['Colour']))
})
