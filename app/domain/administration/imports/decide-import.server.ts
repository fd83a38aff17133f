import sql from 'sql-template-tag'
import { eitherOf } from '~/lib/text'
import { plural } from '~/lib/figures'
import { dayIn, dayInWords, days } from '~/lib/time'
import { isDoubtfulPhone, nameForms } from '../../names/name-forms.server'
import { nameProblem, readName, twinProblem, withoutAccents } from '../../names/names'
import { weakPasswordProblem } from '../../accounts/new-password.server'
import type { AdminCtx } from '../../context'
import { databaseNow } from '../../clock.server'
import { databaseToday } from '../../days.server'
import { paceText } from '../../batches/rules'
import { refusal, type Notes } from './import-notes'
import { changedBy, changeTexts, type ImportedFacts } from './import-changes'
import { PLACEHOLDER_PASSWORD, type ImportEntry } from './import-rules'
import { importEntry } from './import-schemas'
import { openTokens } from '../users/personal-token.server'
import type { ManagedUser } from '../types'
import { planNumbers, unitsAt } from '../../plans/numbers'
import { PLAN_NAMES, type Plans } from '../../plans/types'
import { countsAs } from '../../quota/rules'
import { getPlans } from '../../business/settings.server'
import { endText, surprisesOfAll, type Sale, type Surprise, type Trashed } from '../outcome'
import { NO_TICKS, SEEN, type Ticks } from '../ticks'
import { foresee, listTrashed } from '../outcome.server'
import { listCustomerNotes, missingInNote } from '../customers/customer-card.server'
import { listManagedUsers } from '../users/users-query.server'

export const EXISTS = 'User already exists. Nothing was changed.'

/** An entry with what its line says about values that cannot be used. */
export type NotedEntry = ImportEntry & { notes?: Notes }

/** What lines may do: change roles, create administrators and editors, and what surprises (`Ticks`). */
export type Rights = { changesRoles: boolean; ticks?: Ticks }

export type Verdict = { username: string; notes?: readonly string[]; seen?: readonly string[] } & (
  | { do: 'create'; entry: ImportEntry; changes: string[]; trashed: Trashed | null }
  | {
      do: 'update'
      entry: ImportEntry
      id: string
      account: ManagedUser
      changed: Partial<ImportedFacts>
      changes: string[]
    }
  | { do: 'same' }
  | { do: 'refuse'; error: string }
)

const spellingsOf = (names: readonly { forms: readonly string[] }[]) =>
  names.flatMap(({ forms }) => [...new Set([...forms, ...forms.map(withoutAccents)])])

/** In a line nothing names the columns. The call's fields have names. */
const wordsFor = (
  { notes }: NotedEntry,
  ...[place, message]: Parameters<typeof refusal>
): string => (notes ? refusal(place, message) : message)

/** Decides what to do with each entry. Reads the existing accounts once for all entries. */
export async function decideImport(
  ctx: AdminCtx,
  entries: readonly NotedEntry[],
  rights: Rights,
): Promise<Decided> {
  const { changesRoles } = rights
  const { phoneCountries: countries, timeZone } = ctx.settings
  const today = await databaseToday(ctx.db, timeZone)
  const plans = await getPlans(ctx.db)
  const terms = (entry: ImportEntry) => termsOf(entry, { today, plans })
  const parsed = entries.map((entry) => ({ entry, result: importEntry.safeParse(entry) }))
  const names = parsed.map(({ entry, result }) =>
    // Rejected names may contain characters that PostgreSQL does not accept in a query.
    result.success ? nameForms(entry.username, countries) : { stored: entry.username, forms: [] },
  )
  const { accounts, tokens, customerNotes, inTrash } = await readKnown(ctx, spellingsOf(names))
  const seen = new Set<string>()
  const decided = parsed.map(({ entry, result }, i): Verdict => {
    const { stored: username = '', forms = [] } = names[i] ?? {}
    const refuse = (error: string): Verdict => ({ username, do: 'refuse', error })
    const [issue] = result.error?.issues ?? []
    if (!result.success) return refuse(wordsFor(entry, issue?.path[0], issue?.message ?? 'Invalid'))
    if (seen.has(username)) return refuse('This username is in the list twice')
    seen.add(username)
    const ending = endingOf(entry, today)
    if ('problem' in ending) return refuse(`Days: ${ending.problem}`)
    if (entry.isPlanUnknown) return refuse(UNKNOWN_PLAN)
    const weak = weakPasswordProblem(ctx, { ...result.data, username })
    if (weak !== null) return refuse(weak)
    const clean = asSold({ ...entry, ...result.data, username, ...ending }, plans)
    const account = forms.map((form) => accounts.get(form)).find((one) => one !== undefined)
    const { always = [], ifNew = [] } = entry.notes ?? {}
    const typed = readName(entry.username).notes
    if (account) {
      const token = tokens.get(account.id) ?? null
      const missing = missingInNote(customerNotes.get(account.id) ?? '', clean.note)
      const notes = [...typed, ...always]
      return decideUpdate(clean, { account, token, missing, changesRoles, notes })
    }
    const plain = withoutAccents(username)
    const isTwin = plain !== username && accounts.has(plain)
    const mistakable = isTwin ? twinProblem(plain) : nameProblem(username)
    if (mistakable !== null) return refuse(wordsFor(entry, 'username', mistakable))
    if (clean.role !== 'user' && !changesRoles) return refuse(`Role: ${clean.role}. ${TICK_ROLES}`)
    const notes = [...typed, ...doubtsOf(username, countries), ...always, ...ifNew]
    const trashed = inTrash.find((one) => forms.includes(one.username)) ?? null
    return { username, do: 'create', entry: clean, changes: terms(clean), trashed, notes }
  })
  return withSurprises(ctx, decided, rights)
}

/** Reads the accounts of these names, with their tokens and notes, and those in the trash. */
async function readKnown(ctx: AdminCtx, spellings: string[]) {
  const users = await findAccounts(ctx, spellings)
  const ids = users.map(({ id }) => id)
  return {
    accounts: new Map(users.map((account) => [account.username, account])),
    tokens: await openTokens(ctx, users),
    customerNotes: await listCustomerNotes(ctx.db, ids),
    inTrash: await listTrashed(ctx.db, spellings),
  }
}

async function findAccounts(ctx: AdminCtx, usernames: string[]): Promise<ManagedUser[]> {
  const known = await ctx.db.rows<{ id: string }>(sql`
    select id from users where deleted_at is null and username = any(${usernames}::text[])`)
  return listManagedUsers(
    ctx,
    known.map(({ id }) => id),
  )
}

type Known = Rights & {
  account: ManagedUser
  token: string | null
  /** The lines that its note does not have yet. */
  missing: readonly string[]
  notes: readonly string[]
}

/** Decides what to do with an entry whose account exists. */
function decideUpdate(entry: ImportEntry, known: Known): Verdict {
  const { account, token, missing, notes, changesRoles } = known
  const { id, username } = account
  const decided = { username, notes }
  if (entry.password !== PLACEHOLDER_PASSWORD) return { ...decided, do: 'refuse', error: EXISTS }
  const changed = changedBy(entry, account, token)
  const changes = [
    ...changeTexts(account, changed),
    ...(missing.length === 0 ? [] : [`Note: ${missing.join('; ')} is added; an undo leaves it`]),
  ]
  if (changes.length === 0) return { ...decided, do: 'same' }
  if (changed.role !== undefined && !changesRoles) {
    const error = `Role: ${account.role} → ${changed.role}. ${TICK_ROLES}`
    return { ...decided, do: 'refuse', error }
  }
  return { ...decided, do: 'update', entry, id, account, changed, changes }
}

const unseenText = (unseen: readonly Surprise[]) =>
  `${unseen.map(({ text }) => text).join(' ')} Tick it if that is right`
const UNKNOWN_PLAN = `Plan: unknown. Write ${eitherOf(PLAN_NAMES)} in the box above, then check again`
const TICK_ROLES = 'Tick "Change roles" to allow this'
const CHECK_NUMBER = 'Check the number: it is not a complete number of any country'
const doubtsOf = (...of: Parameters<typeof isDoubtfulPhone>) =>
  isDoubtfulPhone(...of) ? [CHECK_NUMBER] : []

/**
 * Returns an entry with the numbers of the plan that its line names, where the line has none. Only a new
 * account takes them. Without a plan they are those of the specification.
 */
function asSold(entry: ImportEntry, plans: Plans): ImportEntry {
  const { plan, given } = entry
  if (!given.includes('plan')) return entry
  const numbers = Object.entries(planNumbers(plans[plan])).filter(([name]) => !given.includes(name))
  return { ...entry, ...Object.fromEntries(numbers) }
}

/** What a new account gets, as sentences. Its units of a video are those with which its plan is sold now. */
const termsOf = (entry: ImportEntry, { today, plans }: { today: Date; plans: Plans }): string[] => [
  [
    `${entry.plan}: ${plural(entry.videoLimit, 'video')} a day`,
    countsAs(unitsAt(plans[entry.plan].clipUnits, entry.videoLimit)),
    paceText({ speedLimit: entry.speedLimit, delaySeconds: entry.videoGenerationSpeed }),
  ]
    .filter((text) => text !== '')
    .join(', '),
  entry.expireDays === null
    ? 'Never ends'
    : `Ends on ${dayInWords(dayIn('UTC', new Date(today.getTime() + days(entry.expireDays))))}`,
  ...(entry.role === 'user' ? [] : [`Role: ${entry.role}`]),
  ...(entry.isActive ? [] : ['Not active']),
  ...(entry.note === '' ? [] : [`Note: ${entry.note.split('\n').join('; ')}`]),
]

/** Resolves the day on which an account ends to days from today. An account that exists keeps its end. */
function endingOf(
  { endsOn, endingProblem }: ImportEntry,
  today: Date,
): { problem: string } | { expireDays?: number } {
  if (endingProblem !== null) return { problem: endingProblem }
  if (endsOn === null) return {}
  const expireDays = Math.round((Date.parse(`${endsOn}T00:00:00Z`) - today.getTime()) / days(1))
  return expireDays >= 1
    ? { expireDays }
    : { problem: `${dayInWords(endsOn)} is not in the future` }
}

/** Whoever lets lines change roles has seen that accounts have one. */
export const ticksOf = ({ changesRoles, ticks = NO_TICKS }: Rights): Ticks => ({
  ...ticks,
  seenRole: ticks.seenRole || changesRoles,
})

/** Returns what a line sells or gives, or null: plan and end of the account stay. */
function saleOf(verdict: Verdict, now: Date): Sale | null {
  if (verdict.do === 'create') {
    const { username, trashed } = verdict
    const { role, isActive, plan, expireDays } = verdict.entry
    const end = expireDays === null ? null : new Date(now.getTime() + days(expireDays))
    const after = { role, isActive, plan, expiryDate: end?.toISOString() ?? null }
    return { username, before: null, after, trashed, days: expireDays, paid: null }
  }
  if (verdict.do !== 'update' || verdict.changed.plan === undefined) return null
  const { username, account, changed } = verdict
  const after = { ...account, ...changed }
  return { username, before: account, after, trashed: null, days: null, paid: null }
}

type Decided = { verdicts: Verdict[]; surprises: Surprise[] }

/** Refuses the lines that surprise and are not ticked, and notes what was ticked. */
async function withSurprises(ctx: AdminCtx, decided: Verdict[], rights: Rights): Promise<Decided> {
  const ticks = ticksOf(rights)
  const now = await databaseNow(ctx.db)
  const sales = decided.map((verdict) => saleOf(verdict, now))
  const outcomes = await foresee(
    ctx,
    ctx.db,
    sales.filter((sale) => sale !== null),
  )
  const rest = outcomes[Symbol.iterator]()
  const verdicts = decided.map((verdict, i): Verdict => {
    const outcome = sales[i] ? rest.next().value : undefined
    const surprises = outcome?.surprises ?? []
    const unseen = surprises.filter(({ name }) => !ticks[SEEN[name]])
    const { username } = verdict
    if (unseen.length > 0) return { username, do: 'refuse', error: unseenText(unseen) }
    const seen = surprises.map(({ text }) => text)
    if (verdict.do !== 'update' || !outcome) return { ...verdict, seen }
    const changes = [...verdict.changes, endText(outcome, ctx.settings.timeZone)]
    return { ...verdict, changes, seen }
  })
  const surprises = surprisesOfAll(outcomes).filter(({ name }) => name !== 'role')
  return { verdicts, surprises }
}
