import { describe, expect, test } from 'vitest'
import { hasVariants, unknownPlaces, worded, writtenOut } from './wording'

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
  ])('%j', (text, texts) => {
    expect(writtenOut(text, 100)).toEqual(texts)
    expect(hasVariants(text)).toBe(texts.length > 1)
  })

  test('more than fit are refused before they are written', () => {
    const text = '{a|b|c|d|e|f|g|h|i|j}'.repeat(12)
    expect(() => writtenOut(text, 5000)).toThrow(
      'The variants make 1,000,000,000,000 prompts. A list takes 5,000.',
    )
  })
})

describe('wordings', () => {
  const row = { names: ['Animal', 'Where  to', 'Prompt'], cells: ['cat', ' the sea ', 'unused'] }

  test.each([
    ['{prompt}, 35 mm film', 'A kite, 35 mm film'],
    ['A { animal } at {WHERE TO}: {Prompt}', 'A cat at the sea: A kite'],
    ['Price $& {animal}', 'Price $& cat'],
  ])('%j', (wording, text) => expect(worded(wording, 'A kite', row)).toBe(text))

  test('names that are no column are found', () =>
    expect(unknownPlaces('{prompt} {animal} {Colour} {a|b}', row.names)).toEqual(['Colour']))
})
