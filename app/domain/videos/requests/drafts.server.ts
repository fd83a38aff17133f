import sql from 'sql-template-tag'
import type { Executor, Tx } from '~/platform/db/port'
import type { UserCtx } from '../../context'
import { SHARED_COLUMNS, SHARED_FIELDS, sharedValues } from '../order-columns.server'
import { eachText } from '../order-fields'
import type { SharedFields } from '../types'
import {
  DRAFT_KINDS,
  EMPTY_DRAFT,
  settingsOf,
  type Draft,
  type DraftKind,
  type DraftText,
} from './drafts'

/** What is looked through on a page of its own: a list of prompts, and what a text service makes of some. */
type Looked = 'list' | 'rewrite'
/** All kinds of drafts. Those of the create screen are read together, the others one by one. */
type StoredKind = DraftKind | 'edit' | Looked

const isOfCreateScreen = (kind: StoredKind): kind is DraftKind =>
  kind === 'single' || kind === 'bulk'

/** Whose drafts, and where: the database, or a transaction in which more is written. */
type Drafts = Pick<UserCtx, 'actor'> & { db: Executor }

/** Returns the actor's unsent drafts of the create screen, by form. */
export async function getDrafts(ctx: Drafts): Promise<Record<DraftKind, Draft>> {
  const rows = await ctx.db.rows<Draft & { kind: StoredKind }>(sql`
    select kind, text, ${SHARED_FIELDS}, version
    from drafts where user_id = ${ctx.actor.id} and kind = any(${DRAFT_KINDS}::draft_kind[])`)
  const drafts: Record<DraftKind, Draft> = { single: EMPTY_DRAFT, bulk: EMPTY_DRAFT }
  for (const { kind, ...draft } of rows) if (isOfCreateScreen(kind)) drafts[kind] = draft
  return drafts
}

/**
 * Returns what the actor is looking through, as it was stored, or null. Stored apart from the boxes, whose
 * page does not load it.
 */
export async function findLooked(ctx: UserCtx, kind: Looked): Promise<string | null> {
  const row = await ctx.db.row<{ text: string }>(
    sql`select text from drafts where user_id = ${ctx.actor.id} and kind = ${kind}::draft_kind`,
  )
  return row?.text ?? null
}

/** Returns the text of a draft and locks it: it changes from what it is, not from what it was. */
export async function lockDraft(
  tx: Tx,
  { actor }: Pick<UserCtx, 'actor'>,
  kind: DraftKind | Looked,
): Promise<string | null> {
  const row = await tx.row<{ text: string }>(sql`
    select text from drafts where user_id = ${actor.id} and kind = ${kind}::draft_kind for update`)
  return row?.text ?? null
}

/** Returns whether the actor has a list. */
export async function hasListDraft(ctx: Drafts): Promise<boolean> {
  const row = await ctx.db.row(
    sql`select 1 from drafts where user_id = ${ctx.actor.id} and kind = 'list'`,
  )
  return row !== undefined
}

/** Stores what the actor looks through, replacing the previous one, or removes it. */
export async function saveLooked(ctx: Drafts, kind: Looked, text: string | null): Promise<void> {
  const { id } = ctx.actor
  if (text === null) {
    await ctx.db.run(sql`delete from drafts where user_id = ${id} and kind = ${kind}::draft_kind`)
    return
  }
  await ctx.db.run(sql`
    insert into drafts (user_id, kind, text, ${SHARED_COLUMNS})
    values (${id}, ${kind}::draft_kind, ${storable(text)}, ${sharedValues(EMPTY_DRAFT)})
    on conflict (user_id, kind) do update set text = excluded.text, version = drafts.version + 1`)
}

/** Returns the edited prompt that the actor had typed before their session ended, or null. */
export async function findEditDraft(ctx: UserCtx): Promise<string | null> {
  const found = await ctx.db.prisma(({ draft }) =>
    draft.findFirst({ where: { userId: ctx.actor.id, kind: 'edit' }, select: { text: true } }),
  )
  return found?.text ?? null
}

/** Stores an edited prompt. The address to which the user returns contains the id of its video. */
export async function saveEditDraft(ctx: UserCtx, text: string): Promise<void> {
  await saveDraft(ctx, 'edit', { ...EMPTY_DRAFT, text })
}

/** Stores the text of a form, replacing the previous draft. Returns the version of what is stored now. */
export async function saveDraft(
  ctx: Drafts,
  kind: DraftKind | 'edit',
  form: DraftText,
): Promise<number> {
  const key = { userId: ctx.actor.id, kind }
  const written = {
    text: storable(form.text),
    ...eachText((name) => storable(form[name])),
    aspectRatio: form.aspectRatio,
  }
  const stored = await ctx.db.prisma(({ draft }) =>
    draft.upsert({
      where: { userId_kind: key },
      create: { ...key, ...written },
      update: { ...written, version: { increment: 1 } },
      // Without this, the text would be sent back.
      select: { version: true },
    }),
  )
  return stored.version
}

/**
 * Updates a draft after its form was sent. `text` is what was not sent. It stays in the box, even
 * in a browser with its own copy, and so do the settings for the next video.
 */
export async function keepRest(
  ctx: UserCtx,
  kind: DraftKind,
  sent: SharedFields & { text: string },
): Promise<void> {
  await saveDraft(ctx, kind, { ...settingsOf(sent), text: sent.text })
}

/** Removes NUL characters and lone surrogates, which PostgreSQL does not accept. */
const storable = (text: string): string =>
  Buffer.from(text.replace(/\r\n?/g, '\n').replaceAll('\u0000', '')).toString()
