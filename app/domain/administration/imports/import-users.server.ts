import { newId } from '~/lib/ids'
import type { Tx } from '~/platform/db/port'
import { hashNewPassword } from '../../accounts/new-password.server'
import { requireProof } from '../../accounts/proof.server'
import type { AdminCtx } from '../../context'
import { AppError, isAppError } from '../../errors'
import { logActivity } from '../../activity/write.server'
import { addToNote } from '../customers/customer-card.server'
import { keepImportLine } from '../changes/store-change.server'
import { insertAccount } from '../users/create-user.server'
import { editUser } from '../users/edit-user.server'
import { factsOf } from './import-changes'
import { PLACEHOLDER_PASSWORD, type ImportEntry } from './import-rules'
import type { ImportResult, ManagedUser } from '../types'
import type { Surprise } from '../outcome'
import { findTrashed, requireSeen, type Seller } from '../outcome.server'
import { userFacts } from '../users/user-facts'
import { getManagedUser } from '../users/users-query.server'
import {
  decideImport,
  EXISTS,
  ticksOf,
  type NotedEntry,
  type Rights,
  type Verdict,
} from './decide-import.server'

/**
 * Checks an import without writing. Returns one result per entry: whether it would create or change
 * an account, with the old and new values, or the reason if it would fail.
 */
export async function checkImport(
  ctx: AdminCtx,
  entries: readonly NotedEntry[],
  rights: Rights,
): Promise<ImportOutcome> {
  const { verdicts, surprises } = await decideImport(ctx, entries, rights)
  return { results: verdicts.map(toResult), surprises, changeId: null }
}

/**
 * The results, what surprises about the lines, and the change with which the import can be undone, or
 * null if nothing changed.
 */
export type ImportOutcome = {
  results: ImportResult[]
  surprises: Surprise[]
  changeId: string | null
}

const toResult = (verdict: Verdict): ImportResult =>
  verdict.do === 'refuse'
    ? { username: verdict.username, success: false, error: verdict.error }
    : {
        username: verdict.username,
        success: true,
        change: verdict.do,
        ...(verdict.do !== 'same' && { changes: verdict.changes }),
        ...(verdict.notes?.length && { notes: [...verdict.notes] }),
        ...(verdict.seen?.length && { seen: [...verdict.seen] }),
      }

/**
 * Imports accounts, each independently. New accounts are created. An existing username with a real
 * password is rejected, so that a second run changes nothing. With the hashed marker (a line of an
 * export), the account gets the values that the line has, but keeps its password, its expiry date,
 * and its token if the line only has the mask. A line without a difference writes nothing. What was
 * written is kept as one change, which can be undone. A line fails if it sells or gives something that
 * surprises and is not ticked. Throws PASSWORD_NEEDED.
 */
export async function importUsers(
  ctx: AdminCtx,
  entries: readonly NotedEntry[],
  rights: Rights,
): Promise<ImportOutcome> {
  requireProof(ctx)
  const { verdicts, surprises } = await decideImport(ctx, entries, rights)
  const changeId = newId()
  const results: ImportResult[] = []
  for (const verdict of verdicts) {
    // Hashes one password at a time: a hundred at once would use all cores and delay other
    // requests.
    results.push(
      await importUser(ctx, verdict, {
        passwordHash: await hashFor(ctx, verdict),
        changeId,
        seller: { ticks: ticksOf(rights) },
      }),
    )
  }
  const hasChanged = results.some(({ success, change }) => success && change !== 'same')
  return { results, surprises, changeId: hasChanged ? changeId : null }
}

async function hashFor(ctx: AdminCtx, verdict: Verdict): Promise<string | null> {
  const hasPassword = verdict.do === 'create' && verdict.entry.password !== PLACEHOLDER_PASSWORD
  return hasPassword ? hashNewPassword(ctx, verdict.entry) : null
}

type Writing = { passwordHash: string | null; changeId: string; seller: Seller }

async function importUser(
  ctx: AdminCtx,
  verdict: Verdict,
  { passwordHash, changeId, seller }: Writing,
): Promise<ImportResult> {
  const { username } = verdict
  try {
    if (verdict.do === 'create') {
      await ctx.db.transaction(async (tx) => {
        const trashed = await findTrashed(ctx, tx, username)
        const user = await create(ctx, tx, { entry: verdict.entry, passwordHash })
        const sale = { username, before: null, after: user, trashed, days: null, paid: null }
        await requireSeen(ctx, tx, { sales: [sale], seller })
        await addToNote(ctx, tx, { id: user.id, text: verdict.entry.note })
        const line = {
          id: user.id,
          before: { exists: false },
          after: { ...factsOf(user), expiryDate: user.expiryDate },
        }
        await keepImportLine(ctx, tx, { changeId, line })
      })
    }
    if (verdict.do === 'update') {
      const edit = { ...verdict.changed, id: verdict.id, password: undefined }
      await editUser(ctx, edit, async (tx, { before, after, hadWith }) => {
        const sale = { username, before, after, trashed: null, days: null, paid: null }
        if (before.plan !== after.plan) await requireSeen(ctx, tx, { sales: [sale], seller })
        await addToNote(ctx, tx, { id: verdict.id, text: verdict.entry.note })
        const line = {
          id: verdict.id,
          before: { ...factsOf(before), ...hadWith },
          after: factsOf(after),
        }
        await keepImportLine(ctx, tx, { changeId, line })
      })
    }
    return toResult(verdict)
  } catch (error) {
    if (!isAppError(error)) throw error
    return { username, success: false, error: error.message }
  }
}

type Creation = { entry: ImportEntry; passwordHash: string | null }

async function create(
  ctx: AdminCtx,
  tx: Tx,
  { entry, passwordHash }: Creation,
): Promise<ManagedUser> {
  const { username } = entry
  const email = entry.email ?? `${username}@${ctx.settings.productDomain}`
  const id = await insertAccount(ctx, tx, { ...entry, email, passwordHash })
  if (id === null) throw new AppError('CONFLICT', EXISTS)
  const user = await getManagedUser(ctx, tx, id)
  const subject = { kind: 'user', id, name: username } as const
  await logActivity(tx, ctx, { action: 'user.import', subject, after: userFacts(user) })
  return user
}
