import { describe, expect, test } from 'vitest'
import { readRewrite, whyNotSent } from './rewrites'

const BOAT = 'ein Papierboot im Regen'
const read = (answer: string | undefined, act: 'translate' | 'improve' = 'translate') =>
  readRewrite(BOAT, answer, act)

describe('issue 53.6: an answer of the text service', () => {
  test('is used as it is if it is a plain prompt', () => {
    expect(read(' A paper boat in the rain ')).toEqual({
      before: BOAT,
      after: 'A paper boat in the rain',
      notes: [],
    })
  })

  test.each([
    ['A paper boat\r\nin the rain\u2028', 'Line breaks removed.'],
    ['“A paper boat in the rain”', 'Numbers, bullets or quotation marks around it removed.'],
    ['1. A paper boat in the rain', 'Numbers, bullets or quotation marks around it removed.'],
    ['<p>A <b>paper</b> boat in the rain</p>', 'Markup removed.'],
    ['```text\nA paper boat in the rain\n```', 'Markup removed.'],
  ])('is mended, which is said: %j', (answer, note) => {
    const row = read(answer)
    expect(row).toMatchObject({ after: 'A paper boat in the rain', notes: [note] })
  })

  test.each([
    [undefined, 'The answer leaves this one out.'],
    ['', 'The answer is empty.'],
    [' \u200b\n', 'The answer is empty.'],
    ['<br/>', 'The answer is empty.'],
    ['a\u0000b', 'The answer has characters that cannot be stored.'],
    ['x'.repeat(10_001), 'The answer has more than 10,000 characters.'],
    [BOAT, 'There is nothing to change.'],
    [`"${BOAT}"`, 'There is nothing to change.'],
    ['I’m sorry, but I can’t help with that.', 'The text service refuses to work on this text.'],
    ['बारिश में कागज़ की नाव', 'The answer is not in English.'],
    ['{"prompt": "a boat"}', 'The answer has brackets or cells, which are no plain prompt.'],
    ['A {red|blue} boat', 'The answer has brackets or cells, which are no plain prompt.'],
  ])('is none, and says why: %j', (answer, why) => {
    expect(read(answer)).toEqual({ before: BOAT, after: null, why })
  })

  test('keeps what the prompt itself has: line breaks, tags, marks, an excuse', () => {
    for (const [before, after] of [
      ['one\ntwo', 'One\nTwo'],
      ['a <b>bold</b> word', 'A <b>bold</b> word, close'],
      ['"Go," he says', '"Go," he says, in the rain'],
      ['Sorry, we are closed: a sign', 'Sorry, we are closed: a red sign'],
    ] as const)
      expect(readRewrite(before, after, 'improve')).toMatchObject({ after, notes: [] })
  })

  test('stays in the language of the prompt when it is improved', () => {
    const urdu = 'بارش میں کاغذ کی کشتی'
    expect(readRewrite(urdu, 'A paper boat', 'improve')).toMatchObject({
      after: null,
      why: 'The answer is in another language.',
    })
    expect(readRewrite(urdu, `${urdu}، رات`, 'improve')).toMatchObject({ after: `${urdu}، رات` })
  })
})

test('issue 53.6: JSON, nothing, and what is too long are not sent', () => {
  expect(whyNotSent('')).toBe('Please enter a prompt first.')
  expect(whyNotSent('{"scene": "a lake"}')).toBe('JSON objects are not rewritten.')
  expect(whyNotSent('x'.repeat(10_001))).toBe('It has more than 10,000 characters.')
  expect(whyNotSent(BOAT)).toBeNull()
})
