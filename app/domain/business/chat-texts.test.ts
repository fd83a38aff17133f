import { expect, test } from 'vitest'
import { DEFAULT_PLANS } from '../plans/catalogue'
import { chatTextOf, chatTextProblem, ENGLISH, fillChatText } from './chat-texts'
import { CHAT_OCCASIONS } from './types'

const facts = {
  username: '923000000001',
  plan: 'Business',
  plans: DEFAULT_PLANS,
  expiryDate: '2026-12-27T04:30:00.000Z',
  product: 'Filmwerk',
  timeZone: 'UTC',
  link: 'https://film.example/pricing',
} as const

test('all fields of a text are filled in, and what is no field stays', () => {
  const text = '{name}: {plan} until {end}, {price}, {link}, {product} {}'
  expect(fillChatText(text, facts)).toBe(
    '923000000001: Business until 27 Dec 2026, 1,500 rupees ($8), https://film.example/pricing, Filmwerk {}',
  )
  expect(fillChatText('{plan} {end} {price}', { ...facts, plan: null, expiryDate: null })).toBe(
    'none never none',
  )
})

test('a value is not filled in again', () => {
  expect(fillChatText('{name}', { ...facts, username: '{link}' })).toBe('{link}')
})

test('an unknown field is named with those that exist', () => {
  expect(chatTextProblem('Hello {nmae}, {end}')).toBe(
    '{nmae} is not a field. Use {name}, {plan}, {end}, {price}, {link}, {product}.',
  )
  for (const occasion of CHAT_OCCASIONS) expect(chatTextProblem(ENGLISH.texts[occasion])).toBeNull()
})

test('a customer is written to in their language, or in the first one', () => {
  const urdu = { ...ENGLISH, name: 'Urdu', texts: { ...ENGLISH.texts, ended: 'ختم' } }
  const texts = (language: string | null) =>
    chatTextOf([urdu, ENGLISH], { occasion: 'ended', language })
  expect([texts('Urdu'), texts(null), texts('Welsh')]).toEqual(['ختم', 'ختم', 'ختم'])
  expect(texts('English')).toBe(ENGLISH.texts.ended)
})
