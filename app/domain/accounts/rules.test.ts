import { describe, expect, test } from 'vitest'
import { daysLeft, endsWhen, isExpired, standing } from './rules'

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

describe('when a plan ends, in words', () => {
  test.each([
    ['2026-11-24T11:00:00Z', 'in 3 days'],
    ['2026-11-23T11:00:00Z', 'in 2 days'],
    ['2026-11-22T11:00:00Z', 'tomorrow'],
    ['2026-11-21T20:00:00Z', 'today'],
    ['2026-11-21T11:00:00Z', 'today'],
    ['2026-11-20T12:30:00Z', 'today'],
    ['2026-11-20T11:00:00Z', null],
  ])('U-NOTIFY-20: %s: %s', (end, words) => {
    expect(endsWhen(new Date(end), now, 'UTC')).toBe(words)
  })

  test('U-NOTIFY-20: tomorrow begins at midnight in the zone', () => {
    const end = new Date('2026-11-21T20:00:00Z')
    expect(endsWhen(end, now, 'Asia/Karachi')).toBe('tomorrow')
    expect(endsWhen(end, now, 'America/New_York')).toBe('today')
  })

  test('U-NOTIFY-20: a day of 23 hours may lie between: the day after it is not tomorrow', () => {
    const beforeMidnight = new Date('2027-03-27T22:30:00Z')
    const end = new Date('2027-03-28T22:15:00Z')
    expect(endsWhen(end, beforeMidnight, 'Europe/Berlin')).toBe('in 1 day')
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
