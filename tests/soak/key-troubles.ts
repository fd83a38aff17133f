import { DEFAULT_TOKEN } from '../simulator/settings'
import { ADMIN } from './users'
import { newKey, type Holder } from './keys'
import { played } from './play'
import type { Action, Rule, Wish } from './simulator-control'
import type { Scene, Trouble } from './troubles'

// Troubles with one key. Each is of an account of its own, so nobody else may wait for it.

/** Names of the troubles during which nobody may wait. */
export const OF_ONE_KEY = new Set<string>()

const trouble = (name: string, play: Trouble['play']): Trouble => {
  OF_ONE_KEY.add(name)
  return { name, uses: 'keys', isOutage: false, play }
}

/** The key's orders are refused for a while. It may be anybody's, also the platform's. */
const refused = (name: string, action: Action): Trouble =>
  trouble(name, async (scene) => {
    const { keys, rng, span } = scene
    const token = rng.pick([...keys.own.map((holder) => holder.token), ...keys.pool, DEFAULT_TOKEN])
    const rules: Rule[] = [{ when: { op: 'submit', token }, do: action }]
    await played(scene, name, { rules, rank: 2 }, span(20, 60))
  })

/** A customer's own key stops for good. The customer gets another one afterwards. */
const ended = (name: string, rulesOf: (token: string) => Rule[], isGone = false): Trouble =>
  trouble(name, async (scene) => {
    const { keys, rng, span } = scene
    const holder = rng.pick(keys.own)
    const { token } = holder
    if (isGone) keys.gone.add(token)
    const wish: Wish = { rules: rulesOf(token), rank: 2 }
    await scene.product.control.play(`${name} ${token}`, wish)
    await scene.wait(span(20, 60))
    await renew(scene, holder)
  })

/** Gives a customer a key of their own, as an operator does who has bought one. */
async function renew({ admin, wait }: Pick<Scene, 'admin' | 'wait'>, holder: Holder) {
  const bearerToken = newKey('own')
  for (let left = 30; left > 0; left--) {
    // A soak may outlast the time for which a confirmed password is valid (decision 40).
    await admin.call('POST', '/api/auth/login', ADMIN).catch(() => null)
    const path = `/api/admin/users/${holder.customer.userId}`
    const response = await admin.call('PATCH', path, { bearerToken }).catch(() => null)
    if (response?.status === 200) {
      holder.token = bearerToken
      return
    }
    await wait(1_000)
  }
}

const dead = (token: string, op?: 'submit' | 'check'): Rule => ({
  when: op === undefined ? { token } : { op, token },
  do: { status: 401 },
})

const suspended = (token: string): Rule[] => [
  { when: { op: 'submit', token }, do: { status: 403 } },
  { when: { op: 'check', token }, do: { status: 403 } },
]

export const KEY_TROUBLES: readonly Trouble[] = [
  refused('key-spent', { status: 402, message: 'insufficient balance' }),
  refused('key-limited', { status: 429, retryAfter: 120 }),
  ended('key-suspended', suspended),
  // The provider goes on answering for the orders under way.
  ended('key-dead', (token) => [dead(token, 'submit'), dead(token, 'check')]),
  ended('key-gone', (token) => [dead(token)], true),
]
