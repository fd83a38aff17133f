import { describe, expect, test } from 'vitest'
import { daysLeft, isExpired, standing } from './rules'

const now = new Date('2026-11-21T12:00:00Z')
const inDays = (n: number) => new Date(now.getTime() + n * 86_400_000)

describe('days left', () => {
  test.each([
    [-2, -2],
    [-0.5, 0],
    [0, 0],
    [0.1, 1],
    [6.2, 7],
    [8.5, 9],
  ])('an account that ends in %s days has %s left', (days, left) => {
    expect(daysLeft(inDays(days), now)).toBe(left)
  })

  test('rounding the expiry date up by a millisecond adds no day', () => {
    expect(daysLeft(new Date(inDays(40).getTime() + 1), now)).toBe(40)
  })

  test('an account without an expiry date has no days left to show', () => {
    expect(daysLeft(null, now)).toBeNull()
  })

  test('an account expires 24 hours after its expiry date', () => {
    expect(isExpired(inDays(-0.99), now)).toBe(false)
    expect(isExpired(inDays(-1), now)).toBe(true)
    expect(isExpired(null, now)).toBe(false)
  })
})

describe('standing', () => {
  const good = { isActive: true, plan: 'Starter', expiryDate: inDays(1) } as const
  test.each([
    ['ok', good],
    ['disabled', { ...good, isActive: false }],
    ['no-plan', { ...good, plan: null }],
    ['expired', { ...good, expiryDate: inDays(-2) }],
    ['ok', { ...good, expiryDate: null }],
  ] as const)('%s', (expected, account) => {
    expect(standing(account, now)).toBe(expected)
  })
})
