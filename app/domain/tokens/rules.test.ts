import { expect, test } from 'vitest'
import { parseTokenLines, repeatedLines } from './rules'

const named = (text: string) => repeatedLines(parseTokenLines(text))

test('A-ASSIGN-1: each line that repeats an earlier one is named, by the numbers of the text', () => {
  expect(named('a\nb\n\n a \nc\nb\na')).toEqual([
    'Line 4 repeats line 1',
    'Line 6 repeats line 2',
    'Line 7 repeats line 1',
  ])
  expect(named('a\nb\n\n\nA')).toEqual([])
})

test('A-ASSIGN-1: at most ten repeated lines are named', () => {
  expect(named('a\n'.repeat(11))).toHaveLength(10)
  expect(named('a\n'.repeat(12)).slice(9)).toEqual(['Line 11 repeats line 1', 'and 1 more line'])
})
