import { describe, expect, test } from 'vitest'
import { captionText, runsRightToLeft, wrapCaption } from './caption'

/** Every letter ten pixels wide. */
const measure = (text: string): number => Array.from(text).length * 10

describe('captionText', () => {
  test('keeps Latin, Greek, Cyrillic, Arabic and Hebrew', () => {
    const text = 'Ночь Ωμέγα café مرحبا שלום'
    expect(captionText(text)).toBe(text)
  })

  test('drops emoji, control marks and scripts without a font', () => {
    expect(captionText('a 🎈 red\u202e balloon 👩‍🚀\n\n over 東京')).toBe('a red balloon over')
    expect(captionText('🎈🎈')).toBe('')
  })

  test('a lone surrogate is left out', () => {
    expect(captionText('a \ud83d b')).toBe('a b')
  })
})

test('runsRightToLeft looks at the first letter', () => {
  expect(runsRightToLeft('«مرحبا» hello')).toBe(true)
  expect(runsRightToLeft('3 boats مرحبا')).toBe(false)
  expect(runsRightToLeft('...')).toBe(false)
})

describe('wrapCaption', () => {
  const box = { width: 200, lines: 3, measure }

  test('breaks between words', () => {
    expect(wrapCaption('a paper boat drifting down a street', box)).toEqual([
      'a paper boat',
      'drifting down a',
      'street',
    ])
  })

  test('ends with an ellipsis where it does not fit, and every line fits', () => {
    const lines = wrapCaption('word '.repeat(400).trim(), box)
    expect(lines).toHaveLength(3)
    expect(lines.at(-1)).toMatch(/word…$/)
    for (const line of lines) expect(measure(line)).toBeLessThanOrEqual(box.width)
  })

  test('cuts a word that is longer than a line', () => {
    const lines = wrapCaption('x'.repeat(5_000), box)
    expect(lines.map((line) => line.length)).toEqual([20, 20, 20])
  })

  test('an empty text has no lines', () => {
    expect(wrapCaption('', box)).toEqual([])
  })
})
