import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { newCode, readCode } from './code-text'

const ALL = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LIKE = [
  ['O', '0'],
  ['I', '1'],
  ['L', '1'],
] as const

test('a code is four groups of four without look-alikes, and is read as people type it', () => {
  for (let i = 0; i < 500; i++) {
    const code = newCode(randomInt)
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
    const plain = code.replaceAll('-', '')
    expect(readCode(code)).toBe(plain)
    expect(readCode(` ${plain.toLowerCase()} `)).toBe(plain)
    for (const [letter, digit] of LIKE) expect(readCode(code.replaceAll(digit, letter))).toBe(plain)
  }
})

test('every single mistyped character is found, and most exchanged neighbours, before anything is looked up', () => {
  let exchanged = 0
  let found = 0
  for (let i = 0; i < 100; i++) {
    const code = readCode(newCode(randomInt)) ?? ''
    for (let at = 0; at < code.length; at++) {
      const others = Array.from(ALL).filter((other) => other !== code[at])
      const mistyped = others.map((other) => code.slice(0, at) + other + code.slice(at + 1))
      expect(mistyped.filter((one) => readCode(one) !== null)).toEqual([])
      if (at === 0 || code[at] === code[at - 1]) continue
      exchanged++
      const swapped = code.slice(0, at - 1) + code[at]! + code[at - 1]! + code.slice(at + 1)
      if (readCode(swapped) === null) found++
    }
    expect(readCode(code.slice(1))).toBeNull()
    expect(readCode(`${code}0`)).toBeNull()
  }
  expect(found / exchanged).toBeGreaterThan(0.95)
})
