import sql from 'sql-template-tag'
import type { UserCtx } from '../../context'
import type { GenerateVideoInput } from '../schemas'
import { DRAFT_KINDS, EMPTY_DRAFT, type Draft, type DraftKind, type DraftText } from './drafts'

type Row = Draft & { kind: DraftKind | 'edit' }

/** What the actor has written on the create screen and not sent off, form by form. */
export async function getDrafts(ctx: UserCtx): Promise<Record<DraftKind, Draft>> {
  const rows = await ctx.db.rows<Row>(sql`
    select kind, text, negative_prompt as "negativePrompt", aspect_ratio as "aspectRatio", version
    from drafts where user_id = ${ctx.actor.id} and kind = any(${DRAFT_KINDS}::draft_kind[])`)
  const drafts: Record<DraftKind, Draft> = { single: EMPTY_DRAFT, bulk: EMPTY_DRAFT }
  for (const { kind, ...draft } of rows) if (kind !== 'edit') drafts[kind] = draft
  return drafts
}

/** The changed prompt that was typed before the actor's session ended, or null. */
export async function findEditDraft(ctx: UserCtx): Promise<string | null> {
  const found = await ctx.db.prisma(({ draft }) =>
    draft.findFirst({ where: { userId: ctx.actor.id, kind: 'edit' }, select: { text: true } }),
  )
  return found?.text ?? null
}

/** Keeps such a prompt; the address that brings it back says which video it belongs to. */
export function saveEditDraft(ctx: UserCtx, text: string): Promise<void> {
  return saveDraft(ctx, 'edit', { ...EMPTY_DRAFT, text })
}

/** Keeps a form's text in place of what was kept before. */
export async function saveDraft(
  ctx: UserCtx,
  kind: DraftKind | 'edit',
  draft: DraftText,
): Promise<void> {
  const { aspectRatio } = draft
  await ctx.db.run(sql`
    insert into drafts (user_id, kind, text, negative_prompt, aspect_ratio)
    values (${ctx.actor.id}, ${kind}::draft_kind, ${storable(draft.text)},
      ${storable(draft.negativePrompt)}, ${aspectRatio}::aspect_ratio)
    on conflict (user_id, kind) do update set text = excluded.text,
      negative_prompt = excluded.negative_prompt, aspect_ratio = excluded.aspect_ratio,
      version = drafts.version + 1`)
}

/**
 * The text of a form was sent off, all of it or but for `text`. The rest of it stays in the box, also
 * in a browser that kept a copy, and so do the settings, for the next one.
 */
export function keepRest(
  ctx: UserCtx,
  kind: DraftKind,
  sent: Pick<GenerateVideoInput, 'negativePrompt' | 'aspectRatio'> & { text: string },
): Promise<void> {
  const { text, negativePrompt, aspectRatio } = sent
  return saveDraft(ctx, kind, { text, negativePrompt: negativePrompt ?? '', aspectRatio })
}

/** PostgreSQL takes neither NUL nor half a character; a draft is kept without them. */
const storable = (text: string): string =>
  Buffer.from(text.replace(/\r\n?/g, '\n').replaceAll('\u0000', '')).toString()
