import { expect, test } from 'vitest'
import { storeDefaultCredential } from '../../../app/domain/tokens/credentials.server'
import { generate, videosOf } from '../../support/engine/actions'
import { useFreshEngine } from '../../support/engine/shared-engine'

// A paid order is given up only after the same refusal several times in a row. Polls that failed
// before for another reason do not count.

const { engine, start } = useFreshEngine()

test.each([
  ['asks for a while for a key, though the key works', { status: 401 }],
  ['does not know the order at first', { status: 404 }],
])(
  'W-FAULT: a provider that was busy for six polls and then %s: the one order is delivered',
  async (_, refused) => {
    await start({
      can: { needsCredential: true, recover: 'none' },
      deps: ({ provider }) => ({ provider: { ...provider, check: () => Promise.resolve() } }),
      scenario: {
        defaults: { generationMs: 20_000 },
        rules: [
          { when: { op: 'poll' }, do: { status: 503 }, times: 6 },
          { when: { op: 'poll' }, do: refused, times: 2 },
        ],
      },
    })
    await storeDefaultCredential(engine.deps, 'the-account:0123456789')
    const user = await engine.user()
    await generate(user)
    await engine.settle()
    expect(engine.fake.entries()).toHaveLength(1)
    expect((await videosOf(engine, user))[0]).toMatchObject({ status: 'completed' })
  },
)
