import { test } from 'vitest'
import { useWholeProduct } from './whole-product'

// The other flavours are in product.slow.test.ts; in one process, in engine/faults/wire.trials.test.ts.
const expectClip = useWholeProduct()

test('W-JOB-2, U-T2V-7: with vertex-veo a prompt and a negative prompt become a clip that its owner can play', () =>
  expectClip('vertex-veo'))
