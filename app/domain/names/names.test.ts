import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isDoubtfulPhone, isPhone, nameForms } from './name-forms.server'
import { nameProblem, normalizeUsername, readName } from './names'

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
    for (const typed of WAYS) expect(nameForms(typed, ['92']).stored).toBe('923001234567')
  })

  test('the forms of each include the names of older accounts', () => {
    for (const typed of WAYS) {
      for (const older of ['03001234567', '00923001234567', '923001234567']) {
        expect(nameForms(typed, ['92']).forms).toContain(older)
      }
    }
  })

  test('the name as typed comes first', () => {
    expect(nameForms('03001234567', ['92']).forms[0]).toBe('03001234567')
    expect(nameForms('\u202aAli', []).forms).toEqual(['\u202aali', 'ali'])
  })

  test('without a country code, and for other countries, spellings are different accounts', () => {
    expect(nameForms('0300 1234567', [])).toEqual({
      stored: '03001234567',
      forms: ['0300 1234567', '03001234567'],
    })
    expect(nameForms('+1 415 555 0100', ['92']).stored).toBe('14155550100')
    expect(nameForms('Ali01', ['92']).stored).toBe('ali01')
    expect(nameForms('00123456', ['92']).stored).toBe('00123456')
  })
})

describe('L3: national forms', () => {
  test.each([
    ['92', '3001234567', '03001234567'],
    ['1', '2125551234', '+1 212 555 1234'],
    ['44', '07911 123456', '+447911123456'],
    ['39', '06 1234 5678', '+390612345678'],
  ])('with code %s, %s and %s are one account', (code, one, other) => {
    expect(nameForms(one, [code]).stored).toBe(nameForms(other, [code]).stored)
  })

  test('a 0 that belongs to the number stays', () => {
    const [rome, other] = ['+390612345678', '+39612345678'].map((n) => nameForms(n, ['39']).stored)
    expect(rome).toBe('390612345678')
    expect(other).not.toBe(rome)
  })

  test('a number as it is dialled from abroad gets no second code', () => {
    expect(nameForms('011922001234567', ['92']).stored).toBe('011922001234567')
  })
})

describe('numbers as spreadsheets and chats write them', () => {
  test.each([
    ['923001110001.0', '923001110001', ['".0"']],
    ['923001110001,00', '923001110001', ['",00"']],
    ['۹۲۳۰۰۱۱۱۰۰۰۱٫۰', '923001110001', ['"٫0"']],
    ["'923001110002", '923001110002', []],
    ['’+923001110002', '923001110002', []],
    ['="923001110003"', '923001110003', []],
    ['=+923001110003', '923001110003', []],
    ['"923001110003"', '923001110003', []],
    ['+92 300 111-0011 (WhatsApp)', '923001110011', ['"(WhatsApp)"']],
    ['https://wa.me/923001110029?text=hi', '923001110029', []],
    ['api.whatsapp.com/send?phone=+92 300 1110029', '923001110029', []],
    ['0302 1111111 Ahmed bhai', '03021111111', ['"Ahmed bhai"']],
    ['Tel: 0302-1111111', '03021111111', ['"Tel:"']],
    ['واتساپ 03021111111', '03021111111', ['"واتساپ"']],
    ['042 35761234 ext. 2', '04235761234', ['"ext. 2"']],
    ['04235761234x12', '04235761234', ['"x12"']],
  ])('lists: %j is read as %j', (typed, name, left) => {
    expect(readName(typed)).toEqual({
      name,
      notes: left.map((words) => `${words} is not part of the number and is left out`),
      problem: null,
    })
  })

  test.each([
    ['9.23001E+11', /spreadsheet has shortened/],
    ['9,23001E+11', /spreadsheet has shortened/],
    ['9E+11', /spreadsheet has shortened/],
    ['٩٫٢٣E+١١', /spreadsheet has shortened/],
    ['#########', /wrote # in place/],
    ['923005550003 / 923005550004', /two numbers/],
    ['923001110009 , 923001110010', /two numbers/],
    ['923001110012/923001110013', /two numbers/],
    ['0302 1111111 or 0303 2222222', /two numbers/],
    ['923005550003 923005550004', /at most 15 digits/],
    ['920030011100010000', /at most 15 digits/],
  ])('lists: %j is refused', (typed, problem) => expect(readName(typed).problem).toMatch(problem))

  test.each(['ali03001234567', 'user+tag', 'team 2024', '0300/1234567', '00923001234567', 'a,b'])(
    'lists: %j is a name or a number as before',
    (typed) => expect(readName(typed)).toMatchObject({ notes: [], problem: null }),
  )
})

describe('numbers of several countries', () => {
  const both = ['92', '91']
  test.each([
    ['03001110004', '923001110004'],
    ['3001110004', '923001110004'],
    ['098765 43211', '919876543211'],
    ['9876543212', '919876543212'],
    ['+92 300 1110004', '923001110004'],
    ['0091 98765 43212', '919876543212'],
    ['+971 50 123 4567', '971501234567'],
    // Fits neither: the first country is the default, and only for numbers with the prefix 0.
    ['0666 6666666', '926666666666'],
    ['14155550100', '14155550100'],
  ])('P6: %j is %j', (typed, stored) => expect(nameForms(typed, both).stored).toBe(stored))

  test('P6: with one country, a number of another one stays as typed and is doubtful', () => {
    expect(nameForms('9876543212', ['92']).stored).toBe('9876543212')
    expect(isDoubtfulPhone('9876543212', ['92'])).toBe(true)
    expect(isDoubtfulPhone('919876543212', ['92'])).toBe(false)
    expect(isDoubtfulPhone('923001110004', ['92'])).toBe(false)
    expect(isDoubtfulPhone('ali01', ['92'])).toBe(false)
    expect(isDoubtfulPhone('03001110004', [])).toBe(false)
  })

  test('P6: accounts that were stored for the wrong country are found', () => {
    expect(nameForms('098765 43211', both).forms).toContain('929876543211')
    expect(nameForms('3001110004', both).forms).toContain('3001110004')
  })

  test('countries with other prefixes: 8 in Russia, a 0 that stays in Italy', () => {
    expect(nameForms('8 912 345-67-89', ['7']).stored).toBe('79123456789')
    expect(nameForms('06 6982 1234', ['39']).stored).toBe('390669821234')
    expect(nameForms('+39 06 6982 1234', ['39']).stored).toBe('390669821234')
  })

  test('a stored number is found by its own name, and a complete one keeps its form', () => {
    const digits = fc.stringMatching(/^(0|00|92|91|3|9)?\d{6,13}$/)
    fc.assert(
      fc.property(digits, (typed) => {
        const { stored } = nameForms(typed, both)
        const again = nameForms(stored, both)
        expect(again.forms[0]).toBe(stored)
        if (/^9[12]/.test(stored) && isPhone(stored)) expect(again.stored).toBe(stored)
      }),
      { numRuns: 2000 },
    )
    expect(isPhone('923001110004')).toBe(true)
  })
})

describe('names that could be confused with others', () => {
  test.each([
    '03001234567',
    'ali01',
    'user+tag',
    'josé',
    'łukasz',
    'zoë-marie',
    'nguyễn',
    'əli',
    'administración',
    'bob12345',
    'lolo2020',
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
    '923OOOOOOOO1',
    'S234567890',
    '9230O1234S67',
    '\u00e1dmin',
    'a\u0327dmin',
    'adm\u0131n',
    'admin\u2013two',
    'admin\u2010two',
    'admin  two',
    'admin\u2019s',
    '\u00e1dmin-two',
    'supp\u00f6rt 1',
    '\u1d00li',
  ])('A14: rejects %j', (name) => expect(nameProblem(normalizeUsername(name))).not.toBeNull())
})
