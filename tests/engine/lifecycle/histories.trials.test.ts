import fc from 'fast-check'
import { afterAll, beforeAll, test, vi } from 'vitest'
import { startReceiver } from '../../support/alarm-receivers'
import type { Engine } from '../../support/engine/engine'
import { IS_PART, PATIENCE_MS, SEED, trials } from '../../support/engine/trials'
import { accountSteps } from '../../support/histories/account-steps'
import { clipSteps } from '../../support/histories/clip-steps'
import { orderSteps } from '../../support/histories/order-steps'
import { timeSteps } from '../../support/histories/time-steps'
import {
  expectOrder,
  openPlace,
  openWorld,
  PLACES,
  type Place,
  type Receiver,
} from '../../support/histories/world'

vi.setConfig({ testTimeout: PATIENCE_MS })

// Runs random histories of users, two administrators, a helper, strangers, receivers, the clock and killed
// workers, and checks the invariants. A history that fails is shrunk to the shortest one that still fails,
// and printed.

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.stop())

const steps = [...orderSteps, ...clipSteps, ...accountSteps, ...timeSteps]

/** Each history has people of its own, so several of them share what is slow to start. */
const PER_ENGINE = 10
const open = new Map<Place, { engine: Engine; histories: number }>()

async function take(place: Place): Promise<Engine> {
  const known = open.get(place) ?? { engine: await openPlace(place, receiver), histories: 0 }
  known.histories += 1
  open.set(place, known)
  return known.engine
}

async function giveBack(place: Place, isInOrder: boolean): Promise<void> {
  const known = open.get(place)
  if (!known || (isInOrder && known.histories < PER_ENGINE)) return
  open.delete(place)
  await known.engine.close()
}

/** A hundred short ones in `npm test`, long ones in the slow command. */
const isShort = IS_PART

test(`the invariants hold after any sequence of actions (seed ${SEED})`, async () => {
  const history = fc.asyncProperty(
    fc.constantFrom(...PLACES),
    fc.commands(steps, { maxCommands: isShort ? 10 : 60, size: 'max' }),
    async (place, commands) => {
      const world = await openWorld(await take(place), receiver)
      let isInOrder = false
      try {
        await fc.asyncModelRun(() => ({ model: {}, real: world }), commands)
        await expectOrder(world)
        isInOrder = true
      } finally {
        await giveBack(place, isInOrder)
      }
    },
  )
  await fc.assert(history, { seed: SEED, numRuns: isShort ? 100 : trials(100, 2000) })
  for (const { engine } of open.values()) await engine.close()
})
