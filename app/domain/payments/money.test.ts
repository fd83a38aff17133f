import { expect, test } from 'vitest'
import type { Currency } from '~/lib/currencies'
import { amountProblem, readAmount } from './money'

test.each<[typed: string, currency: Currency, minor: number | null]>([
  ['200', 'PKR', 20_000],
  ['1,500', 'PKR', 150_000],
  ['1,00,000', 'INR', 10_000_000],
  ['2.50', 'USD', 250],
  ['2,5', 'USD', 250],
  ['1.500', 'KWD', 1_500],
  ['500', 'JPY', 500],
  ['Rs 200/-', 'PKR', 20_000],
  ['Rs. 1,500/=', 'PKR', 150_000],
  ['200 PKR', 'PKR', 20_000],
  ['PKR200', 'PKR', 20_000],
  ['₨200', 'PKR', 20_000],
  ['$2', 'USD', 200],
  ['US$ 2.50', 'USD', 250],
  ['2 €', 'EUR', 200],
  // Another currency, another unit, no amount.
  ['$2', 'PKR', null],
  ['PKR 200', 'USD', null],
  ['5k', 'PKR', null],
  ['2 lakh', 'PKR', null],
  ['200-', 'PKR', null],
  ['-200', 'PKR', null],
  ['0', 'PKR', null],
  ['1.2.3', 'PKR', null],
  ['500.50', 'JPY', null],
  ['99999999999', 'PKR', null],
  ['', 'PKR', null],
  // X8, A10: what can be read in two ways, and groups that begin with 0.
  ['8.003', 'USD', null],
  ['1.500', 'PKR', null],
  ['$1.250', 'USD', null],
  ['1,500', 'KWD', null],
  ['0.001', 'PKR', null],
  ['0.500', 'PKR', null],
  ['0,500', 'PKR', null],
  ['0,50,000', 'INR', null],
  ['0 500', 'PKR', null],
  ['0.001', 'JPY', null],
  ['8,003', 'USD', 800_300],
  ['1.234.567', 'PKR', 123_456_700],
  ['1.500', 'JPY', 1_500],
  ['1,050', 'PKR', 105_000],
  ['0.50', 'PKR', 50],
])('%s in %s is %s', (typed, currency, minor) => {
  expect(readAmount(typed, currency)).toBe(minor)
})

test('X8: what can be read in two ways is refused in words', () => {
  expect(amountProblem('8.003', 'USD')).toBe('8.003 can be read in two ways. Write 8.00, or 8003')
  expect(amountProblem('Rs 1.500', 'PKR')).toBe(
    '1.500 can be read in two ways. Write 1.50, or 1500',
  )
  expect(amountProblem('1,500', 'KWD')).toBe('1,500 can be read in two ways. Write 1.500, or 1500')
  expect(amountProblem('five', 'PKR')).toBe('This is not an amount')
})
