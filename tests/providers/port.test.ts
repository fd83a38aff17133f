import { FLAVOURS } from '../simulator/settings'
import { GENERATION_MS, openBench } from './bench'
import { portContract } from './contract'

// The preview renderer keeps it as well: port.slow.test.ts.
for (const flavour of FLAVOURS) {
  portContract(flavour, async () => {
    const bench = await openBench(flavour)
    return {
      provider: bench.provider,
      credential: () => bench.credential(),
      ready: (ref) => {
        bench.wait(GENERATION_MS)
        return bench.poll(ref)
      },
      received: async ({ id }) => {
        const { prompt = '', negativePrompt = null } =
          bench.sim.orders().find((order) => id.endsWith(order.id)) ?? {}
        // Forms write line breaks as CR LF.
        return { prompt: prompt.replaceAll('\r\n', '\n'), negativePrompt }
      },
      hasNegativePrompt: !['openai', 'gateway'].includes(flavour),
      stop: bench.stop,
    }
  })
}
