import { expect, test } from 'vitest'
import { FLAVOURS } from '../simulator/settings'
import { GENERATION_MS, openRig } from './rig'
import { portContract } from './contract'

/** They have no field for the negative prompt. */
const FOLDING: readonly string[] = [
  'openai',
  'gateway',
  'generations',
  'generations-v2',
  'replicate',
  'ark',
  'minimax',
]

test('U-I2V-3: these protocols describe pictures, and orders of the others have none', async () => {
  const taking: string[] = []
  for (const flavour of FLAVOURS) {
    const rig = await openRig(flavour)
    if (rig.provider.can.takesPictures) taking.push(flavour)
    await rig.stop()
  }
  expect(taking).toEqual([
    'vertex-veo',
    'openai',
    'sglang',
    'vllm-omni',
    'runway',
    'comfyui',
    'fal',
    'ark',
    'minimax',
  ])
  // The service refuses a picture that is not of the size of the video.
  const large = await openRig('openai', { env: { OPENAI_VIDEOS_SIZE_PORTRAIT: '1024x1792' } })
  expect(large.provider.can.takesPictures).toBe(false)
  await large.stop()
})

test('issue 52.7: these protocols describe a picture for the end', async () => {
  const taking: string[] = []
  for (const flavour of FLAVOURS) {
    const rig = await openRig(flavour)
    if (rig.provider.can.takesEndPictures) taking.push(flavour)
    await rig.stop()
  }
  expect(taking).toEqual(['vertex-veo', 'ark', 'minimax'])
})

test.each(['vertex-veo', 'kling'] as const)(
  'W-FAULT: a finished order of %s names the attempt that it was made for, also under an id given twice',
  async (flavour) => {
    const rig = await openRig(flavour)
    rig.sim.play({
      defaults: { generationMs: GENERATION_MS },
      rules: [{ when: { op: 'submit', nth: 2 }, do: { fault: 'same-id' } }],
    })
    await rig.submit({}, 'att-1')
    const second = await rig.submit({}, 'att-2')
    rig.wait(GENERATION_MS)
    expect(await rig.poll(second)).toMatchObject({ state: 'succeeded', attemptId: 'att-1' })
    await rig.stop()
  },
)

// The preview renderer keeps it as well: port.slow.test.ts.
for (const flavour of FLAVOURS) {
  portContract(flavour, async () => {
    const rig = await openRig(flavour)
    return {
      provider: rig.provider,
      credential: () => rig.credential(),
      ready: (ref) => {
        rig.wait(GENERATION_MS)
        return rig.poll(ref)
      },
      received: async ({ id }) => {
        const { prompt = '', negativePrompt = null } =
          rig.sim.orders().find((order) => id.endsWith(order.id)) ?? {}
        // Forms write line breaks as CR LF.
        return { prompt: prompt.replaceAll('\r\n', '\n'), negativePrompt }
      },
      pictures: async ({ id }) =>
        rig.sim
          .orders()
          .filter((order) => id.endsWith(order.id))
          .map(({ picture }) => picture),
      endPictures: async ({ id }) =>
        rig.sim
          .orders()
          .filter((order) => id.endsWith(order.id))
          .map(({ endPicture = null }) => endPicture),
      hasNegativePrompt: !FOLDING.includes(flavour),
      stop: rig.stop,
    }
  })
}
