import { expect, test } from 'vitest'
import { hashOf } from '../simulator/orders'
import { hasItsNegativePrompt } from './orders'

const video = {
  number: 1,
  prompt: 'a lantern,\nslowly',
  negativePrompt: 'blur',
  aspectRatio: 'portrait',
  isHopeless: false,
  batch: undefined,
} as const

const order = (prompt: string, negativePrompt: string | null = null) => ({
  promptHash: hashOf(prompt),
  negativePromptHash: negativePrompt === null ? null : hashOf(negativePrompt),
})
const AVOIDING = 'a lantern,\r\nslowly\r\nAvoid: blur'

test.each([
  ['field', order(video.prompt, 'blur'), true],
  ['field', order(video.prompt), false],
  ['field', order(video.prompt, 'blurs'), false],
  ['field', order(AVOIDING), false],
  ['in-prompt', order(AVOIDING), true],
  ['in-prompt', order(AVOIDING, 'blur'), false],
  ['in-prompt', order(`${AVOIDING}s`), false],
  ['in-prompt', order(video.prompt), false],
] as const)(
  'U-T2V-7: the soak sees whether a negative prompt was dropped, altered or misplaced: %s',
  (where, received, isRight) => {
    expect(hasItsNegativePrompt(video, received, where)).toBe(isRight)
  },
)

test.each(['field', 'in-prompt'] as const)(
  'U-T2V-7: the soak sees a negative prompt that nobody typed: %s',
  (where) => {
    const plain = { ...video, negativePrompt: null }
    expect(hasItsNegativePrompt(plain, order(video.prompt), where)).toBe(true)
    expect(hasItsNegativePrompt(plain, order(video.prompt, 'blur'), where)).toBe(false)
    expect(hasItsNegativePrompt(plain, order(AVOIDING), where)).toBe(false)
  },
)
