import { expect, test } from 'vitest'
import { codeOf, messageOf } from './error-facts'

test.each([
  [Object.assign(new Error('no space left'), { code: 'ENOSPC' }), 'ENOSPC', 'no space left'],
  [Object.assign(new Error('a driver’s error'), { code: 57014 }), '57014', 'a driver’s error'],
  [new TypeError('without a code'), '', 'without a code'],
  [{ code: 'EPERM' }, '', '[object Object]'],
  ['only words', '', 'only words'],
  [undefined, '', 'undefined'],
])('%o has the code "%s" and the message "%s"', (error, code, message) => {
  expect([codeOf(error), messageOf(error)]).toEqual([code, message])
})
