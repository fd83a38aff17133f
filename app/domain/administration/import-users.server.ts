import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import { nameForms } from '../accounts/names'
import { hashNewPassword, weakPasswordProblem } from '../accounts/new-password.server'
import { requireProof } from '../accounts/proof.server'
import type { AdminCtx } from '../context'
import { AppError, isAppError } from '../errors'
import { writeAudit } from '../audit.server'
import { insertAccount } from './create-user.server'
import { editUser } from './edit-user.server'
import { refusal, type Notes } from './import-notes'
import { PLACEHOLDER_PASSWORD, type ImportEntry } from './import-rules'
import { importEntry } from './import-schemas'
import type { ImportResult } from './types'
import { userFacts } from './user-facts'
import { getManagedUser } from './users-query.server'

const EXISTS = 'User already exists. Nothing was changed.'

/** An entry with what its line says about values that cannot be used. */
export type NotedEntry = ImportEntry & { notes?: Notes }

type Verdict = { username: string; notes?: readonly string[] } & (
  | { do: 'create'; entry: ImportEntry }
  | { do: 'update'; entry: ImportEntry; id: string }
  | { do: 'refuse'; error: string }
)

/**
 * Checks an import without writing. Returns one result per entry, with the reason if it would fail.
 */
export async function checkImport(
  ctx: AdminCtx,
  entries: readonly NotedEntry[],
): Promise<ImportResult[]> {
  return (await decideImport(ctx, entries)).map(toResult)
}

const toResult = (verdict: Verdict): ImportResult =>
  verdict.do === 'refuse'
    ? { username: verdict.username, success: false, error: verdict.error }
    : {
        username: verdict.username,
        success: true,
        ...(verdict.notes?.length && { notes: [...verdict.notes] }),
      }

/**
 * Imports accounts, each independently. New accounts are created. An existing username with a real
 * password is rejected, so that a second run changes nothing. With the hashed marker (a line of an
 * export), the account gets the line's values, but keeps its password, its expiry date, and its
 * token if the line only has the mask. Throws PASSWORD_NEEDED.
 */
export async function importUsers(
  ctx: AdminCtx,
  entries: readonly NotedEntry[],
): Promise<ImportResult[]> {
  requireProof(ctx)
  const verdicts = await decideImport(ctx, entries)
  const results: ImportResult[] = []
  for (const verdict of verdicts) {
    // Hashes one password at a time: a hundred at once would use all cores and delay other
    // requests.
    results.push(await importUser(ctx, verdict, await hashFor(ctx, verdict)))
  }
  return results
}

async function hashFor(ctx: AdminCtx, verdict: Verdict): Promise<string | null> {
  const hasPassword = verdict.do === 'create' && verdict.entry.password !== PLACEHOLDER_PASSWORD
  return hasPassword ? hashNewPassword(ctx, verdict.entry) : null
}

/** Decides what to do with each entry. Reads the existing accounts once for all entries. */
async function decideImport(ctx: AdminCtx, entries: readonly NotedEntry[]): Promise<Verdict[]> {
  const parsed = entries.map((entry) => ({ entry, result: importEntry.safeParse(entry) }))
  const code = ctx.settings.phoneCountryCode
  const names = parsed.map(({ entry, result }) =>
    // Rejected names may contain characters that PostgreSQL does not accept in a query.
    result.success ? nameForms(entry.username, code) : { stored: entry.username, forms: [] },
  )
  const known = await ctx.db.rows<{ id: string; username: string }>(sql`
    select id, username from users where deleted_at is null and username = any(${names.flatMap(({ forms }) => forms)}::text[])`)
  const accounts = new Map(known.map((account) => [account.username, account]))
  const seen = new Set<string>()
  return parsed.map(({ entry, result }, i): Verdict => {
    const { stored: username = '', forms = [] } = names[i] ?? {}
    if (!result.success) {
      const { path = [], message = 'Invalid' } = result.error.issues[0] ?? {}
      // In a line nothing names the columns. The call's fields have names.
      const error = entry.notes ? refusal(path[0], message) : message
      return { username, do: 'refuse', error }
    }
    if (seen.has(username)) {
      return { username, do: 'refuse', error: 'This username is in the list twice' }
    }
    seen.add(username)
    const weak = weakPasswordProblem(ctx, { password: result.data.password, username })
    if (weak !== null) return { username, do: 'refuse', error: weak }
    const clean: ImportEntry = { ...entry, ...result.data, username }
    const account = forms.map((form) => accounts.get(form)).find((one) => one !== undefined)
    const { always = [], ifNew = [] } = entry.notes ?? {}
    if (!account) return { username, do: 'create', entry: clean, notes: [...always, ...ifNew] }
    if (clean.password !== PLACEHOLDER_PASSWORD)
      return { username: account.username, do: 'refuse', error: EXISTS }
    return { username: account.username, do: 'update', entry: clean, id: account.id, notes: always }
  })
}

async function importUser(
  ctx: AdminCtx,
  verdict: Verdict,
  passwordHash: string | null,
): Promise<ImportResult> {
  const { username } = verdict
  try {
    if (verdict.do === 'create') {
      await ctx.db.transaction((tx) => create(ctx, tx, { entry: verdict.entry, passwordHash }))
    }
    if (verdict.do === 'update') await update(ctx, verdict.id, verdict.entry)
    return toResult(verdict)
  } catch (error) {
    if (!isAppError(error)) throw error
    return { username, success: false, error: error.message }
  }
}

type Creation = { entry: ImportEntry; passwordHash: string | null }

async function create(ctx: AdminCtx, tx: Tx, { entry, passwordHash }: Creation): Promise<void> {
  const { username } = entry
  const email = entry.email ?? `${username}@${ctx.settings.productDomain}`
  const id = await insertAccount(ctx, tx, { ...entry, email, passwordHash })
  if (id === null) throw new AppError('CONFLICT', EXISTS)
  const after = userFacts(await getManagedUser(ctx, tx, id))
  const subject = { kind: 'user', id, name: username } as const
  await writeAudit(tx, ctx, { action: 'user.import', subject, after })
}

async function update(ctx: AdminCtx, id: string, entry: ImportEntry): Promise<void> {
  const { role, plan, videoLimit, speedLimit, videoGenerationSpeed, bearerToken, isActive } = entry
  await editUser(ctx, {
    id,
    role,
    plan,
    videoLimit,
    speedLimit,
    videoGenerationSpeed,
    isActive,
    ...(bearerToken !== null && { bearerToken }),
    password: undefined,
  })
}
