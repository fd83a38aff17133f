import { networkOf } from '~/lib/network.server'
import type { Throttle } from '~/platform/throttle/port'
import type { UserCtx, VisitorCtx } from '../context'
import { AppError } from '../errors'

// Only tries that fail count: each is taken before the password is looked at, so that parallel guesses
// cannot slip through, and given back when it was right.

export type Try = readonly [Throttle, string]

/** What a sign-in with this name counts against, the narrowest first (decision 78). */
export function signInTries({ throttles, actor }: VisitorCtx, username: string): Try[] {
  const { narrow, wide } = networkOf(actor.address)
  const ofNetworks: Try[] = [
    [throttles.signInByNetwork, narrow],
    [throttles.signInByBlock, wide],
  ]
  // Nobody else's guesses keep somebody out where the same account was signed in before.
  if (actor.device?.username === username)
    return [[throttles.signInByDevice, `${actor.device.id} ${username}`], ...ofNetworks]
  return [
    [throttles.signInByNameAndNetwork, `${narrow} ${username}`],
    [throttles.signInByNameAndBlock, `${wide} ${username}`],
    ...ofNetworks,
    [throttles.signInByName, username],
  ]
}

/** What a signed-in user's own password counts against, apart from sign-ins by others. */
export const passwordTries = ({ throttles, actor }: UserCtx): Try[] => [
  [throttles.passwordByUser, actor.id],
]

/** Takes one of each, as far as the first that has none left. Throws RATE_LIMITED. */
export async function takeTries(tries: readonly Try[], what: string): Promise<void> {
  for (const [throttle, key] of tries) {
    const answer = await throttle.take(key)
    if (answer.ok) continue
    const { retryAfterSeconds } = answer
    const wait = Math.max(1, Math.ceil(retryAfterSeconds / 60))
    const text = `Too many ${what}. Try again in ${wait} ${wait === 1 ? 'minute' : 'minutes'}.`
    throw new AppError('RATE_LIMITED', text, { retryAfterSeconds })
  }
}

/** The password was right. */
export async function giveTriesBack(tries: readonly Try[]): Promise<void> {
  await Promise.all(tries.map(([throttle, key]) => throttle.giveBack(key)))
}

export const FAILED_SIGN_INS = 'failed sign-ins'
export const WRONG_PASSWORDS = 'wrong passwords'
