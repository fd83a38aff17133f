import sql from 'sql-template-tag'
import type { Deps } from '../context'
import { auditAccess } from '../audit.server'
import { nameForms } from './names'
import { dropSecondFactor } from './second-factor.server'
import { endSessionsOf } from './sessions.server'

/** What the command found: the account's name as it is stored, or null, and whether it had one. */
export type SwitchedOff = { username: string | null; wasOn: boolean }

/**
 * Switches two-step sign-in off for the account that is called so, ends its sessions and notes it: for
 * the operator, where no administrator can.
 */
export async function switchOffByCommand(
  { db, settings }: Pick<Deps, 'db' | 'settings'>,
  name: string,
): Promise<SwitchedOff> {
  const { forms } = nameForms(name, settings.phoneCountryCode)
  const user = await db.row<{ id: string; username: string }>(sql`
    select id, username from users where username = any(${forms}::text[]) and deleted_at is null
    order by array_position(${forms}::text[], username) limit 1`)
  if (!user) return { username: null, wasOn: false }
  const wasOn = await db.transaction(async (tx) => {
    if (!(await dropSecondFactor(tx, user.id))) return false
    await endSessionsOf(tx, user.id)
    await auditAccess(tx, { action: 'auth.second-factor-command', user, isUser: false })
    return true
  })
  return { username: user.username, wasOn }
}
