import sql from 'sql-template-tag'
import { chatLink } from '~/lib/chat-link'
import { figure } from '~/lib/figures'
import { isId } from '~/lib/ids'
import { isLongerThan } from '~/lib/text'
import type { Executor, Tx } from '~/platform/db/port'
import { logActivity } from '../../activity/write.server'
import { chatTextOf, fillChatText, OCCASION_NAMES } from '../../business/chat-texts'
import { getChatTexts, getPlans } from '../../business/settings.server'
import { CHAT_OCCASIONS, type ChatOccasion } from '../../business/types'
import type { AdminCtx } from '../../context'
import { AppError } from '../../errors'
import { isoText } from '../../iso-text.server'
import { isDoubtfulPhone } from '../../names/name-forms.server'
import { NOTE_CHARACTERS, type NoteInput } from '../schemas'
import { storedState } from '../outcome'
import type { Contact, CustomerCard, ManagedUser } from '../types'
import { getManagedUser, noSuchUser } from '../users/users-query.server'

/** Returns what is kept about a customer. Empty without a row. */
export async function getCustomerCard(db: Executor, userId: string): Promise<CustomerCard> {
  const row = await db.row<Omit<CustomerCard, 'contact'> & StoredContact>(sql`
    select note, language, ${isoText(sql`contacted_at`)} as at, contacted_for as occasion
    from customer_cards where user_id = ${userId}`)
  if (!row) return { note: '', language: null, contact: null }
  const { note, language, ...contact } = row
  return { note, language, contact: contactOf(contact) }
}

/** Returns the notes about these customers, by user id. Those without one are missing. */
export async function listCustomerNotes(
  db: Executor,
  userIds: readonly string[],
): Promise<Map<string, string>> {
  const where = { userId: { in: [...userIds] } }
  const rows = await db.prisma(({ customerCard }) =>
    customerCard.findMany({ where, select: { userId: true, note: true } }),
  )
  return new Map(rows.map(({ userId, note }) => [userId, note]))
}

/** Returns the lines of a text that a note does not have yet. */
export const missingInNote = (note: string, text: string): string[] => {
  const known = new Set(note.split('\n').map((line) => line.trim()))
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !known.has(line))
}

/** A contact as stored: nothing of it, or all. */
export type StoredContact = { at: string | null; occasion: string | null }

/** Returns a stored contact, or null. An occasion of a later version counts as none. */
export function contactOf({ at, occasion }: StoredContact): Contact | null {
  const known = CHAT_OCCASIONS.find((one) => one === occasion)
  return at === null || known === undefined ? null : { at, occasion: known }
}

/** Stores the note about a customer and the language of their chat. Throws NOT_FOUND. */
export async function saveCustomerNote(
  ctx: AdminCtx,
  { id, note, language }: NoteInput,
): Promise<void> {
  if (!isId(id)) throw noSuchUser()
  await ctx.db.transaction((tx) => writeNote(ctx, tx, { id, note, language }))
}

/**
 * Adds the lines of a text to the note about a customer that it does not have yet, in the transaction that
 * imports the account. Throws BAD_INPUT if the note becomes too long.
 */
export async function addToNote(
  ctx: AdminCtx,
  tx: Tx,
  { id, text }: { id: string; text: string },
): Promise<void> {
  const { note: old, language } = await getCustomerCard(tx, id)
  const missing = missingInNote(old, text)
  if (missing.length === 0) return
  const note = [old, ...missing].filter((line) => line !== '').join('\n')
  if (isLongerThan(note, NOTE_CHARACTERS))
    throw new AppError('BAD_INPUT', `Note can have at most ${figure(NOTE_CHARACTERS)} characters`)
  await writeNote(ctx, tx, { id, note, language })
}

async function writeNote(ctx: AdminCtx, tx: Tx, { id, note, language }: NoteInput): Promise<void> {
  const { username } = await getManagedUser(ctx, tx, id)
  const old = await getCustomerCard(tx, id)
  await tx.run(sql`
    insert into customer_cards (user_id, note, language) values (${id}, ${note}, ${language})
    on conflict (user_id) do update set note = excluded.note, language = excluded.language`)
  await logActivity(tx, ctx, {
    action: 'user.note',
    subject: { kind: 'user', id, name: username },
    before: { note: old.note, language: old.language },
    after: { note, language },
  })
}

export type Chat = { id: string; occasion: ChatOccasion; link: string; language: string | null }

/**
 * Notes that a customer is written to on an occasion, and returns the address that opens the chat with
 * the text in a language; null: in theirs. `link` is the address that the text names. Throws NOT_FOUND,
 * and CONFLICT if the customer's number cannot be called, or the text would say more than is so.
 */
export async function startChat(ctx: AdminCtx, chat: Chat): Promise<string> {
  const { id, occasion, link } = chat
  if (!isId(id)) throw noSuchUser()
  const { productName: product, timeZone, phoneCountries } = ctx.settings
  const texts = await getChatTexts(ctx)
  return ctx.db.transaction(async (tx) => {
    const user = await getManagedUser(ctx, tx, id)
    const phone = chatNumberOf(user, phoneCountries)
    if (phone === null) throw new AppError('CONFLICT', `${user.username} has no number for a chat`)
    refuseUntrue(user, occasion)
    const plans = await getPlans(tx)
    const language = chat.language ?? (await getCustomerCard(tx, id)).language
    await tx.run(sql`
      insert into customer_cards (user_id, contacted_at, contacted_for)
      values (${id}, engine_now(), ${occasion})
      on conflict (user_id) do update
        set contacted_at = excluded.contacted_at, contacted_for = excluded.contacted_for`)
    await logActivity(tx, ctx, {
      action: 'user.contact',
      subject: { kind: 'user', id, name: user.username },
      after: { about: OCCASION_NAMES[occasion] },
    })
    const text = chatTextOf(texts, { occasion, language })
    return chatLink(phone, fillChatText(text, { ...user, plans, product, timeZone, link }))
  })
}

/** Throws CONFLICT for a text that says that an account is ready or renewed that cannot be used. */
function refuseUntrue(user: ManagedUser, occasion: ChatOccasion): void {
  const state = storedState(user)
  if ((occasion !== 'account' && occasion !== 'renewed') || state === 'ok') return
  const why = { disabled: 'disabled', expired: 'expired', 'no-plan': 'without a plan' }[state]
  throw new AppError('CONFLICT', `${user.username} is ${why}: there is nothing to tell.`)
}

/** Returns the number of a customer's chat, or null if it is not complete. */
export function chatNumberOf(
  { phone, username }: { phone: string | null; username: string },
  countries: readonly string[],
): string | null {
  const number = phone ?? username
  return /^\+?\d+$/.test(number) && !isDoubtfulPhone(number, countries) ? number : null
}
