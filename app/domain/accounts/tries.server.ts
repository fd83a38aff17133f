import { plural } from '~/lib/figures'
import { networkOf } from '~/lib/network.server'
import type { Throttle } from '~/platform/throttle/port'
import type { Ctx, UserCtx, VisitorCtx } from '../context'
import { AppError } from '../errors'
import type { NameForms } from '../names/name-forms.server'
import type { ProvenAccount } from './types'

// Only failed attempts count. Each is counted before the password is checked, so that concurrent
// guesses cannot exceed the limit, and given back if the password was right.

export type Try = readonly [Throttle, string]

/**
 * Returns the throttles for a sign-in with this name, narrowest first (decision 78). `account` is
 * the one that has the name, if any: a new version of it (a new password, *Unlock*) starts with new
 * tries.
 */
export function signInTries(
  { throttles, actor }: VisitorCtx,
  { stored, forms }: NameForms,
  account: Pick<ProvenAccount, 'accessVersion'> | undefined,
): Try[] {
  const username = account ? `${stored} ${account.accessVersion}` : stored
  const { network, block } = networkOf(actor.address)
  const ofNetworks: Try[] = [
    [throttles.signInByNetwork, network],
    [throttles.signInByBlock, block],
  ]
  // On a device where this account was signed in before, guesses by others must not lock the user
  // out.
  if (actor.device && forms.includes(actor.device.username))
    return [[throttles.signInByDevice, `${actor.device.id} ${username}`], ...ofNetworks]
  return [
    [throttles.signInByNameAndNetwork, `${network} ${username}`],
    [throttles.signInByNameAndBlock, `${block} ${username}`],
    ...ofNetworks,
    [throttles.signInByName, username],
  ]
}

/** Returns the throttles for a signed-in user's own password, separate from sign-ins by others. */
export const passwordTries = ({ throttles, actor }: UserCtx): Try[] => [
  [throttles.passwordByUser, actor.id],
]

/** Returns the throttles for a code of a signed-in user. */
export const codeTries = ({ throttles }: Pick<Ctx, 'throttles'>, { id }: { id: string }): Try[] => [
  [throttles.codeByUser, id],
]

/**
 * Returns the throttles for a code at sign-in, where others who know the password may guess too
 * (decision 34). They have tries of their own, so that they cannot lock out a user who is signed in.
 */
export function signInCodeTries(
  { throttles, actor }: VisitorCtx,
  { id, username, accessVersion }: Pick<ProvenAccount, 'id' | 'username' | 'accessVersion'>,
): Try[] {
  return actor.device?.username === username
    ? [[throttles.signInByDevice, `${actor.device.id} ${username} ${accessVersion}`]]
    : [[throttles.codeByUser, `sign-in ${id} ${accessVersion}`]]
}

/** Takes one try from each throttle, or none. Throws RATE_LIMITED if one is exhausted. */
export function takeTries(tries: readonly Try[], what: string): Promise<void> {
  return takeAll(tries, (seconds) => {
    const wait = Math.max(1, Math.ceil(seconds / 60))
    return `Too many ${what}. Try again in ${plural(wait, 'minute')}.`
  })
}

/** Like `takeTries`, with a custom message. */
export async function takeAll(
  tries: readonly Try[],
  words: (retryAfterSeconds: number) => string,
): Promise<void> {
  for (const [i, [throttle, key]] of tries.entries()) {
    const result = await throttle.take(key)
    if (result.ok) continue
    await giveTriesBack(tries.slice(0, i))
    const { retryAfterSeconds } = result
    throw new AppError('RATE_LIMITED', words(retryAfterSeconds), { retryAfterSeconds })
  }
}

/** Gives tries back, because the password was right or could not be checked. */
export async function giveTriesBack(tries: readonly Try[]): Promise<void> {
  await Promise.all(tries.map(([throttle, key]) => throttle.giveBack(key)))
}

/**
 * Returns the result of `look`. If it throws, the tries are given back, because nothing was
 * checked.
 */
export async function orGiveTriesBack<T>(
  tries: readonly Try[],
  look: () => Promise<T>,
): Promise<T> {
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
