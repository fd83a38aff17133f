import { expect, test } from 'vitest'
import { parsePromptLines } from '~/domain/batches/rules'
import { isPastedList } from './list-preview'

test.each([
  ['', false],
  [' \n\n', false],
  ['A fox\nA whale\n', false],
  ['A fox\n\nA whale', true],
  ['1. A fox\n2. A whale', true],
])('a pasted list is recognised by blank lines and list markers: %j', (text, expected) => {
  expect(isPastedList(parsePromptLines(text), text)).toBe(expected)
})
