import { expect, test } from 'vitest'
import { readRoute, ROUTE_TEXT, routesOf, targetOf, type ProviderState } from './route'

const open = (name: string): ProviderState => ({ name, isOut: false, isAside: false })
const out = (name: string): ProviderState => ({ name, isOut: true, isAside: false })
const aside = (name: string): ProviderState => ({ name, isOut: true, isAside: true })

test('issue 52.4: routes are texts, and every one that a plan can have is offered', () => {
  expect(routesOf(['first'])).toEqual(['first'])
  const both = routesOf(['first', 'fal'])
  expect(both).toEqual(['first', 'first fal', 'fal', 'fal first'])
  for (const text of both) expect(text).toMatch(ROUTE_TEXT)
  expect(readRoute('fal first')).toEqual({ provider: 'fal', standIn: 'first' })
  expect(readRoute('fal')).toEqual({ provider: 'fal', standIn: null })
})

test('issue 52.4: a stand-in gets the orders of a provider that is aside, unless it takes none itself', () => {
  expect(targetOf('first fal', [open('first'), open('fal')])).toBe('first')
  expect(targetOf('first fal', [out('first'), open('fal')])).toBe('first')
  expect(targetOf('first fal', [aside('first'), open('fal')])).toBe('fal')
  expect(targetOf('first fal', [aside('first'), out('fal')])).toBe('first')
  expect(targetOf('first', [aside('first'), open('fal')])).toBe('first')
})

test('issue 52.4: what would go to a provider that is not set up goes to its stand-in, or the first one', () => {
  expect(targetOf('gone fal', [open('first'), open('fal')])).toBe('fal')
  expect(targetOf('gone', [open('first'), open('fal')])).toBe('first')
  expect(targetOf('first gone', [aside('first')])).toBe('first')
})
