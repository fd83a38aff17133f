import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nameForms, nameProblem, normalizeUsername } from './names'

describe('usernames', () => {
  test.each([
    ['+92 300-1234567', '923001234567'],
    ['(0300) 123.4567', '03001234567'],
    ['923001234567', '923001234567'],
    ['\u202a+923001234567\u202c', '923001234567'],
    ['\u200e0300\u200b1234567', '03001234567'],
    ['0300\u20111234\u2013567', '03001234567'],
    ['0300_123*45#67,', '03001234567'],
    ['۰۳۰۰۱۲۳۴۵۶۷', '03001234567'],
    ['٠٣٠٠١٢٣٤٥٦٧', '03001234567'],
    ['०३००१२३४५६७', '03001234567'],
    ['０３００１２３４５６７', '03001234567'],
    ['  Admin ', 'admin'],
    ['Ali01', 'ali01'],
    ['Ａli０１', 'ali01'],
    ['user+tag', 'user+tag'],
    ['-', '-'],
  ])('U-LOGIN-3: %j is stored as %j', (typed, kept) => {
    expect(normalizeUsername(typed)).toBe(kept)
  })

  test('digits of all scripts become ASCII digits', () => {
    for (let code = 0; code <= 0x1ffff; code++) {
      const sign = String.fromCodePoint(code)
      if (!/\p{Nd}/u.test(sign)) continue
      expect(normalizeUsername(sign)).toMatch(/^\d$/)
    }
    expect(normalizeUsername('\u{1d7ce}\u{1d7d8}\u{1d7f6}\u{1fbf7}')).toBe('0007')
  })

  test('normalization is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (typed) => {
        const once = normalizeUsername(typed)
        expect(normalizeUsername(once)).toBe(once)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('different spellings of one phone number', () => {
  const WAYS = ['0300 1234567', '+92 300 1234567', '0092-300-1234567', '+92 (0) 300 1234567']

  test('with a country code, all have the same stored form', () => {
    for (const typed of WAYS) expect(nameForms(typed, '92').stored).toBe('923001234567')
  })

  test('the forms of each include the names of older accounts', () => {
    for (const typed of WAYS) {
      for (const older of ['03001234567', '00923001234567', '923001234567']) {
        expect(nameForms(typed, '92').forms).toContain(older)
      }
    }
  })

  test('the name as typed comes first', () => {
    expect(nameForms('03001234567', '92').forms[0]).toBe('03001234567')
    expect(nameForms('\u202aAli', null).forms).toEqual(['\u202aali', 'ali'])
  })

  test('without a country code, and for other countries, spellings are different accounts', () => {
    expect(nameForms('0300 1234567', null)).toEqual({
      stored: '03001234567',
      forms: ['0300 1234567', '03001234567'],
    })
    expect(nameForms('+1 415 555 0100', '92').stored).toBe('14155550100')
    expect(nameForms('Ali01', '92').stored).toBe('ali01')
    expect(nameForms('00123456', '92').stored).toBe('00123456')
  })
})

describe('names that could be confused with others', () => {
  test.each([
    '03001234567',
    'ali01',
    'user+tag',
    'josé',
    'علی',
    'иван',
    '王小明',
    'a b',
    'li-na_7',
  ])('accepts %j', (name) => expect(nameProblem(name)).toBeNull())

  test.each([
    'adm\u0456n', // Cyrillic і
    'p\u0430ul', // Cyrillic а
    '\u0441\u043e\u0441\u043e', // сосо
    'ad\u3164min',
    'admin\u115f',
    'a\u034fb',
    'a\u2800b',
    'a\u0007b',
    'a\ufe0fb',
  ])('rejects %j', (name) => expect(nameProblem(normalizeUsername(name))).not.toBeNull())
})
