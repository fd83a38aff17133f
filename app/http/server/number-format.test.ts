import { afterEach, describe, expect, test } from 'vitest'
import { formatOf } from './number-format.server'
import { ENGLISH, figure, plural, readFormatFrom } from '~/lib/figures'

const WRITTEN = [
  // language, 1234, 1234567, 1.5
  ['en', '1,234', '1,234,567', '1.5'],
  ['de', '1.234', '1.234.567', '1,5'],
  ['fr', '1\u202f234', '1\u202f234\u202f567', '1,5'],
  ['es', '1234', '1.234.567', '1,5'],
  ['hi-IN', '1,234', '12,34,567', '1.5'],
  ['ar-EG', '1,234', '1,234,567', '1.5'],
  ['fa-u-nu-arab', '1,234', '1,234,567', '1.5'],
  ['no such language', '1,234', '1,234,567', '1.5'],
  ['*', '1,234', '1,234,567', '1.5'],
] as const

describe('U-ACCT-6: figures', () => {
  afterEach(() => readFormatFrom(() => ENGLISH))

  test.each(WRITTEN)('in %s', (language, thousands, millions, decimals) => {
    readFormatFrom(() => formatOf(language))
    expect([figure(1234), figure(1_234_567), figure(1.5)]).toEqual([thousands, millions, decimals])
    expect([figure(0), figure(-7), figure(999), plural(1, 'video')]).toEqual([
      '0',
      '-7',
      '999',
      '1 video',
    ])
  })

  test('are English where no request is', () => {
    expect(plural(1500, 'video')).toBe('1,500 videos')
  })
})
