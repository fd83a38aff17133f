import { test } from 'vitest'
import { useWholeProduct } from './whole-product'

const expectClip = useWholeProduct()

test.each(['vertex-veo', 'openai', 'runway', 'comfyui'] as const)(
  'W-JOB-2, U-T2V-7: with %s a prompt and a negative prompt become a clip that its owner can play',
  expectClip,
)
