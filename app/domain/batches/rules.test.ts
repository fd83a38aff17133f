import { describe, expect, test } from 'vitest'
import {
  findBrokenJson,
  lastRoundAfterMs,
  parsePromptLines,
  retryText,
  roundsFor,
  withoutListSigns,
} from './rules'
import { startBatchForm, startBatchInput } from './schemas'

describe('prompt lines', () => {
  test('U-BULK-5: lines are trimmed, blank lines dropped, and line numbers kept', () => {
    expect(parsePromptLines('  a  \n\n\r\n\tb\rc\n   ')).toEqual([
      { line: 1, text: 'a' },
      { line: 4, text: 'b' },
      { line: 5, text: 'c' },
    ])
  })

  test('U-BULK-2: a JSON line is used as the prompt, and invalid JSON is reported', () => {
    const lines = parsePromptLines('{"scene":"x"}\n{"scene":\nplain')
    expect(lines.map(({ text }) => text)).toEqual(['{"scene":"x"}', '{"scene":', 'plain'])
    expect(findBrokenJson(lines)).toEqual([{ line: 2, text: '{"scene":' }])
    const words = ['{red|blue} kites', '{Animal}', '{|}'].map((text, line) => ({ line, text }))
    expect(findBrokenJson(words)).toEqual([])
    expect(findBrokenJson([{ line: 1, text: '{' }])).toHaveLength(1)
  })

  test.each([
    ['1. A cat', 'A cat'],
    ['12) A cat', 'A cat'],
    ['(3)  A cat', 'A cat'],
    ['- A cat', 'A cat'],
    ['• A cat', 'A cat'],
    ['– A cat', 'A cat'],
    ['"A cat"', 'A cat'],
    ['“A cat”', 'A cat'],
    ['2. „A cat“', 'A cat'],
    ['"A cat",', 'A cat'],
    ['١. قطة', 'قطة'],
    ['\u200f14. قطة', 'قطة'],
    ['- [ ] A cat', 'A cat'],
    ['[x] A cat', 'A cat'],
    ['☐ A cat', 'A cat'],
    ['1️⃣ A cat', 'A cat'],
    ['4: A cat', 'A cat'],
    ['05 – A cat', 'A cat'],
    ['#6 A cat', 'A cat'],
    ['Scene 7: "A cat"', 'A cat'],
    ['**Prompt 8:** A cat', 'A cat'],
  ])('removes a list marker: %s', (line, prompt) => expect(withoutListSigns(line)).toBe(prompt))

  test.each([
    '3 cats',
    '1.5 litres of milk',
    '16:9 street',
    '-5 degrees',
    '2001.',
    '1.',
    '"A" and "B"',
    '"',
    '""',
    'A cat, "sleeping"',
    '{"scene":"1. x"}',
    "it's a cat'",
    '[blue] A cat',
    '☐',
  ])('leaves a line that is not a list item unchanged: %s', (line) =>
    expect(withoutListSigns(line)).toBe(line),
  )

  test('list markers are removed only if the user chose that', () => {
    const promptLines = '1. A cat\n\n2. "A dog"\n{"scene":"x"}'
    const prompts = (more: object) => startBatchForm.parse({ promptLines, ...more }).prompts
    expect(prompts({})).toEqual(['1. A cat', '2. "A dog"', '{"scene":"x"}'])
    expect(prompts({ cleanList: true })).toEqual(['A cat', 'A dog', '{"scene":"x"}'])
  })

  const form = (promptLines: string) => startBatchForm.safeParse({ promptLines })
  const messages = (result: { success: boolean; error?: { issues: { message: string }[] } }) =>
    result.error?.issues.map(({ message }) => message)

  test('U-BULK-6: no prompts', () => {
    expect(messages(form(' \n \n'))).toEqual(['Please enter at least one prompt'])
    expect(messages(startBatchInput.safeParse({ prompts: ['', '  '] }))).toEqual([
      'Please enter at least one prompt',
    ])
    expect(messages(startBatchInput.safeParse({}))).toEqual(['Please enter at least one prompt'])
  })

  test('U-BULK-7: 100 prompts are accepted and 101 rejected', () => {
    const lines = (n: number) => Array.from({ length: n }, (_, i) => `p${i}`)
    expect(form(lines(100).join('\n')).success).toBe(true)
    expect(messages(form(lines(101).join('\n')))).toEqual(['Maximum 100 prompts allowed at once'])
    expect(messages(startBatchInput.safeParse({ prompts: lines(101) }))).toEqual([
      'Maximum 100 prompts allowed at once',
    ])
  })

  test('the error for a line that cannot be stored names its number', () => {
    expect(messages(form(`a\n\nb\u0000\n${'x'.repeat(10_001)}`))).toEqual([
      'Line 3 contains characters that cannot be stored',
      'Line 4 can have at most 10,000 characters',
    ])
  })
})

describe('pace', () => {
  test.each([
    [7, 3, 60, 3, 120_000],
    [1, 1, 90, 1, 0],
    [100, 10, 30, 10, 270_000],
    [100, 5, 45, 20, 855_000],
    [5, 3, 0, 2, 0],
  ])(
    '%i videos, %i every %i s: %i rounds, the last one after %i ms',
    (waiting, speedLimit, delaySeconds, rounds, lastAfter) => {
      const plan = { waiting, speedLimit, delaySeconds }
      expect(roundsFor(plan)).toBe(rounds)
      expect(lastRoundAfterMs(plan)).toBe(lastAfter)
    },
  )
})

test('U-RETRY-4: the message gives the number queued and the number that did not fit', () => {
  expect(retryText(3, 0)).toBe('3 failed videos queued for retry.')
  expect(retryText(1, 2)).toBe(
    "1 failed video queued for retry; 2 more did not fit into today's quota.",
  )
})
