import type { Deps } from '../context'
import { logAccess } from '../activity/write.server'
import { findByName } from './find-by-name.server'
import { nameForms } from '../names/name-forms.server'
import { dropSecondFactor } from './second-factor.server'
import { endSessionsOf } from './sessions.server'

/**
 * Result of the command: the account's stored name (null if not found), and whether two-step
 * sign-in was on.
 */
export type SwitchedOff = { username: string | null; wasOn: boolean }

/**
 * Switches two-step sign-in off for the named account, ends its sessions and writes an entry of the activity log.
 * For operators, when no administrator can do it.
 */
export async function switchOffByCommand(
  { db, settings }: Pick<Deps, 'db' | 'settings'>,
  name: string,
): Promise<SwitchedOff> {
  const { forms } = nameForms(name, settings.phoneCountries)
  const user = await findByName(db, forms)
  if (!user) return { username: null, wasOn: false }
  const wasOn = await db.transaction(async (tx) => {
    if (!(await dropSecondFactor(tx, user.id))) return false
    await endSessionsOf(tx, user.id)
    await logAccess(tx, { action: 'auth.second-factor-command', user, isUser: false })
    return true
  })
  return { username: user.username, wasOn }
}
