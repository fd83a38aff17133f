import { networkOf } from '~/lib/network.server'
import type { Throttle } from '~/platform/throttle/port'
import type { Ctx, UserCtx, VisitorCtx } from '../context'
import { AppError } from '../errors'
import type { NameForms } from './names'

// Only tries that fail count: each is taken before the password is looked at, so that parallel guesses
// cannot slip through, and given back when it was right.

export type Try = readonly [Throttle, string]

/** What a sign-in with this name counts against, the narrowest first (decision 78). */
export function signInTries(
  { throttles, actor }: VisitorCtx,
  { stored: username, forms }: NameForms,
): Try[] {
  const { narrow, wide } = networkOf(actor.address)
  const ofNetworks: Try[] = [
    [throttles.signInByNetwork, narrow],
    [throttles.signInByBlock, wide],
  ]
  // Nobody else's guesses keep somebody out where the same account was signed in before.
  if (actor.device && forms.includes(actor.device.username))
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

/** What a code counts against where its owner is signed in. */
export const codeTries = ({ throttles }: Pick<Ctx, 'throttles'>, { id }: { id: string }): Try[] => [
  [throttles.codeByUser, id],
]

/** The same at sign-in, where others who know the password may guess as well (decision 97). */
export function signInCodeTries(ctx: VisitorCtx, account: { id: string; username: string }): Try[] {
  const { throttles, actor } = ctx
  return actor.device?.username === account.username
    ? [[throttles.signInByDevice, `${actor.device.id} ${account.username}`]]
    : codeTries(ctx, account)
}

/** Takes one of each, or none. Throws RATE_LIMITED where one has none left. */
export function takeTries(tries: readonly Try[], what: string): Promise<void> {
  return takeAll(tries, (seconds) => {
    const wait = Math.max(1, Math.ceil(seconds / 60))
    return `Too many ${what}. Try again in ${wait} ${wait === 1 ? 'minute' : 'minutes'}.`
  })
}

/** The same, with words of one's own for the refusal. */
export async function takeAll(
  tries: readonly Try[],
  words: (retryAfterSeconds: number) => string,
): Promise<void> {
  for (const [i, [throttle, key]] of tries.entries()) {
    const answer = await throttle.take(key)
    if (answer.ok) continue
    await giveTriesBack(tries.slice(0, i))
    const { retryAfterSeconds } = answer
    throw new AppError('RATE_LIMITED', words(retryAfterSeconds), { retryAfterSeconds })
  }
}

/** The password was right, or could not be judged. */
export async function giveTriesBack(tries: readonly Try[]): Promise<void> {
  await Promise.all(tries.map(([throttle, key]) => throttle.giveBack(key)))
}

/** What a look at a password answers; the tries come back when it throws, because nothing was judged. */
export async function judging<T>(tries: readonly Try[], look: () => Promise<T>): Promise<T> {
  try {
    return await look()
  } catch (error) {
    await giveTriesBack(tries)
    throw error
  }
}

export const FAILED_SIGN_INS = 'failed sign-ins'
export const WRONG_PASSWORDS = 'wrong passwords'
export const WRONG_CODES = 'wrong codes'
