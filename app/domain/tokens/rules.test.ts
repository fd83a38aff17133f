import { expect, test } from 'vitest'
import { bareToken, lastFourOf, parseTokenLines, repeatedLines } from './rules'

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

test.each([
  ['key_alpha', { token: 'key_alpha', isCleaned: false }],
  ['"key_alpha",', { token: 'key_alpha', isCleaned: true }],
  ['  Bearer key_alpha ', { token: 'key_alpha', isCleaned: true }],
  ["'Authorization: Bearer key_alpha';", { token: 'key_alpha', isCleaned: true }],
  ['“key_alpha”', { token: 'key_alpha', isCleaned: true }],
  ['key_alpha | Shop | acme', { token: 'key_alpha', label: 'Shop', account: 'acme' }],
  ['"key_alpha" | "Shop"', { token: 'key_alpha', label: 'Shop' }],
  ['key_alpha||acme', { token: 'key_alpha', account: 'acme' }],
  // The first field of some servers' tokens is a number.
  ['12|x9f3kd0s', { token: '12|x9f3kd0s' }],
  ['12|x9f3kd0s|Shop', { token: '12|x9f3kd0s', label: 'Shop' }],
  ['{"type": "service_account"}', { token: '{"type": "service_account"}', isCleaned: false }],
])('P2: the line %s is read as a token with its label and account', (line, read) => {
  expect(parseTokenLines(line)).toEqual([expect.objectContaining({ line: 1, ...read })])
})

test.each([
  [' "Bearer key_alpha", ', 'key_alpha'],
  ['12|x9f3kd0s', '12|x9f3kd0s'],
  ['\n{\n  "type": "service_account",\n}\n', '{\n  "type": "service_account",\n}'],
  [`'{"type": "service_account"}'`, '{"type": "service_account"}'],
  ['",', ''],
])(
  'P2: what is around the pasted token %j is removed, and a key file stays as it is',
  (text, token) => {
    expect(bareToken(text)).toBe(token)
  },
)

test.each([
  'key_alpha\tShop\tacme\n12|x9f\t\tacme',
  'Token\nkey_alpha|Shop|acme\n12|x9f||acme',
  'sep=;\nkey_alpha;Shop;acme\n12|x9f;;acme',
  'Account,API key,Label\nacme,Bearer key_alpha,Shop\nacme,12|x9f,\n',
  'id;token;name;account\n1;"key_alpha";"Shop";acme\n2;12|x9f;;acme',
])('P2: the table %j is read as tokens with their labels and accounts', (text) => {
  expect(parseTokenLines(text)).toMatchObject([
    { token: 'key_alpha', label: 'Shop', account: 'acme' },
    { token: '12|x9f', account: 'acme' },
  ])
})

test('P2: a line of nothing but quotes and commas holds no token', () => {
  expect(parseTokenLines('",",\n\n  \n;')).toEqual([])
})

test('P2: a token is recognised by its last four characters, a short one by none', () => {
  expect(lastFourOf('key_live_0123456789ABCD')).toBe('ABCD')
  expect(lastFourOf('short-token')).toBe('')
  const keyFile = '{"type":"service_account","private_key_id":"0123456789abcdef0123"}'
  expect(lastFourOf(keyFile)).toBe('0123')
})
