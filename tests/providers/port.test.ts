import { FLAVOURS } from '../simulator/settings'
import { GENERATION_MS, openRig } from './rig'
import { portContract } from './contract'

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
      hasNegativePrompt: !['openai', 'gateway'].includes(flavour),
      stop: rig.stop,
    }
  })
}
