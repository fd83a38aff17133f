import { expect, test } from 'vitest'
import { laterDays, planEndText, withinPlan } from './later-days'

const firstAt = new Date('2026-11-29T00:00:00Z')
const planEnd = new Date('2026-12-01T12:00:00Z')
const of = (prompts: number, end: Date | null = planEnd) =>
  laterDays({ prompts, perDay: 3, firstAt, planEnd: end })

test('prompts of later days get units until the plan has ended, with its last day', () => {
  // The nights before 29 and 30 November, 1 and 2 December.
  expect(of(12)).toEqual({ lastAt: new Date('2026-12-02T00:00:00Z'), beyondPlan: null })
  expect(of(13)).toEqual({
    lastAt: null,
    beyondPlan: { prompts: 1, planEnd: planEnd.toISOString() },
  })
  expect(of(37, null)).toEqual({ lastAt: new Date('2026-12-11T00:00:00Z'), beyondPlan: null })
  expect(of(4, new Date('2026-11-27T12:00:00Z')).beyondPlan?.prompts).toBe(4)
})

test('no time after the end of the plan is named', () => {
  expect(withinPlan(new Date('2026-12-02T11:59:00Z'), planEnd)).not.toBeNull()
  expect(withinPlan(new Date('2026-12-02T12:00:00Z'), planEnd)).toBeNull()
  expect(withinPlan(firstAt, null)).toEqual(firstAt)
})

test('the plan’s last day is the one that the account’s page names', () => {
  expect(planEndText({ planEnd: planEnd.toISOString(), prompts: 28 })).toBe(
    'Your plan ends on 1 Dec. About 28 of these prompts wait until it is renewed.',
  )
  expect(planEndText({ planEnd: planEnd.toISOString() })).toBe(
    'Your plan ends on 1 Dec. What is not sent by then waits until it is renewed.',
  )
})
