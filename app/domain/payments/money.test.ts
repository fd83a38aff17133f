import { expect, test } from 'vitest'
import type { Currency } from '~/lib/currencies'
import { readAmount } from './money'

test.each<[typed: string, currency: Currency, minor: number | null]>([
  ['200', 'PKR', 20_000],
  ['1,500', 'PKR', 150_000],
  ['1.500', 'PKR', 150_000],
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
])('%s in %s is %s', (typed, currency, minor) => {
  expect(readAmount(typed, currency)).toBe(minor)
})
