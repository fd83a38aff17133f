import type { Prisma } from '@prisma/client'
import sql from 'sql-template-tag'
import { isId, newId } from '~/lib/ids'
import { excerpt } from '~/lib/text'
import type { ActivityEntry } from '../activity/types'
import type { AdminCtx } from '../context'
import { databaseToday, today } from '../days.server'
import { logActivity } from '../activity/write.server'
import { ensureCurrent, lockCurrent, rotateDailyPrompt } from './current.server'
import { noSuchPrompt } from './daily.server'
import type { BulkPromptsInput, PromptInput } from './schemas'
import type { PromptStatistics, PromptView } from './types'

const VIEW = {
  id: true,
  text: true,
  copyCount: true,
  skipCount: true,
  isCurrent: true,
  createdAt: true,
} as const
type Row = Prisma.PromptGetPayload<{ select: typeof VIEW }>

const toView = (row: Row): PromptView => ({ ...row, createdAt: row.createdAt.toISOString() })

/** Lists the library: the current prompt first, then newest first. */
export async function listPrompts(ctx: AdminCtx): Promise<PromptView[]> {
  await rotateDailyPrompt(ctx)
  const rows = await ctx.db.prisma(({ prompt }) =>
    prompt.findMany({
      select: VIEW,
      orderBy: [{ isCurrent: 'desc' }, { createdAt: 'desc' }, { id: 'desc' }],
    }),
  )
  return rows.map(toView)
}

/** Returns statistics of the library. */
export async function getPromptStatistics(ctx: AdminCtx): Promise<PromptStatistics> {
  const [all, pinned] = await Promise.all([
    ctx.db.prisma(({ prompt }) =>
      prompt.aggregate({ _count: true, _sum: { copyCount: true, skipCount: true } }),
    ),
    ctx.db.prisma(({ prompt }) => prompt.count({ where: { isPinned: true, isCurrent: true } })),
  ])
  return {
    total: all._count,
    copies: all._sum.copyCount ?? 0,
    skips: all._sum.skipCount ?? 0,
    isPinned: pinned > 0,
  }
}

/** Returns one prompt of the library. Throws NOT_FOUND. */
export async function getPrompt(ctx: AdminCtx, id: string): Promise<PromptView> {
  if (!isId(id)) throw noSuchPrompt()
  const row = await ctx.db.prisma(({ prompt }) => prompt.findFirst({ where: { id }, select: VIEW }))
  if (!row) throw noSuchPrompt()
  return toView(row)
}

/** Adds one prompt. The first prompt of an empty library becomes current. */
export async function createPrompt(ctx: AdminCtx, { text }: PromptInput): Promise<PromptView> {
  const id = newId()
  const entry = { action: 'prompt.create', subject: subjectOf(id, text) } as const
  await insert(ctx, [{ id, text }], entry)
  return getPrompt(ctx, id)
}

/** Adds many prompts. Returns how many. */
export async function importPrompts(ctx: AdminCtx, input: BulkPromptsInput): Promise<number> {
  await insert(
    ctx,
    input.prompts.map((text) => ({ id: newId(), text })),
    { action: 'prompts.import', count: input.prompts.length },
  )
  return input.prompts.length
}

/** Returns a prompt as the subject of an entry of the activity log. */
const subjectOf = (id: string, text: string) =>
  ({ kind: 'prompt', id, name: excerpt(text, 80) }) as const

function insert(
  ctx: AdminCtx,
  prompts: readonly { id: string; text: string }[],
  entry: ActivityEntry,
): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    await lockCurrent(tx)
    await tx.run(sql`
      insert into prompts (id, text, created_at)
      select id, text, engine_now() from jsonb_to_recordset(${JSON.stringify(prompts)}::jsonb)
        as given(id uuid, text text)`)
    await ensureCurrent(tx, ctx.settings.timeZone)
    await logActivity(tx, ctx, entry)
  })
}

/** Changes a prompt's text. Its counts are kept. Throws NOT_FOUND. */
export async function updatePrompt(
  ctx: AdminCtx,
  input: PromptInput & { id: string },
): Promise<PromptView> {
  const { id, text } = input
  if (!isId(id)) throw noSuchPrompt()
  await ctx.db.transaction(async (tx) => {
    const old = await tx.row<{ text: string }>(sql`
      select text from prompts where id = ${id} for update`)
    if (!old) throw noSuchPrompt()
    await tx.prisma(({ prompt }) => prompt.updateMany({ where: { id }, data: { text } }))
    await logActivity(tx, ctx, {
      action: 'prompt.edit',
      subject: subjectOf(id, text),
      before: { text: excerpt(old.text, 80) },
      after: { text: excerpt(text, 80) },
    })
  })
  return getPrompt(ctx, id)
}

/** Deletes a prompt. If it was current, the next in turn becomes current. Throws NOT_FOUND. */
export async function deletePrompt(ctx: AdminCtx, id: string): Promise<void> {
  const count = isId(id) ? await deletePrompts(ctx, [id]) : 0
  if (count === 0) throw noSuchPrompt()
}

/** Deletes those of the prompts that exist. Returns how many. */
export function deletePrompts(ctx: AdminCtx, ids: readonly string[]): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    await lockCurrent(tx)
    const gone = await tx.rows<{ id: string; text: string }>(sql`
      delete from prompts where id = any(${ids}::uuid[]) returning id, text`)
    await ensureCurrent(tx, ctx.settings.timeZone)
    const entries = gone.map(({ id, text }): ActivityEntry => ({
      action: 'prompt.delete',
      subject: subjectOf(id, text),
    }))
    await logActivity(tx, ctx, entries)
    return gone.length
  })
}

/**
 * Makes a prompt current and pins it, so that it is not rotated at the reset hour. Throws
 * NOT_FOUND.
 */
export async function setDailyPrompt(ctx: AdminCtx, id: string): Promise<PromptView> {
  if (!isId(id)) throw noSuchPrompt()
  await ctx.db.transaction(async (tx) => {
    await lockCurrent(tx)
    const chosen = await tx.prisma(({ prompt }) =>
      prompt.findFirst({ where: { id }, select: { text: true } }),
    )
    if (!chosen) throw noSuchPrompt()
    await tx.prisma(({ prompt }) =>
      prompt.updateMany({
        where: { isCurrent: true, id: { not: id } },
        data: { isCurrent: false, isPinned: false },
      }),
    )
    // SQL, because `last_current_at` has microseconds, which decide the turn.
    await tx.run(sql`
      update prompts set is_current = true, is_pinned = true, last_current_at = engine_now(),
        current_on = ${today(ctx.settings.timeZone)}
      where id = ${id}`)
    const entry = { action: 'prompt.set-daily', subject: subjectOf(id, chosen.text) } as const
    await logActivity(tx, ctx, entry)
  })
  return getPrompt(ctx, id)
}

/** Unpins the current prompt, so that it is rotated at the next reset hour again. */
export async function unpinDailyPrompt(ctx: AdminCtx): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    // It counts as today's prompt, so that it stays until the next reset hour.
    const currentOn = await databaseToday(tx, ctx.settings.timeZone)
    const unpinned = await tx.prisma(({ prompt }) =>
      prompt.updateManyAndReturn({
        where: { isPinned: true },
        data: { isPinned: false, currentOn },
        select: { id: true, text: true },
      }),
    )
    const entries = unpinned.map(({ id, text }): ActivityEntry => ({
      action: 'prompt.unpin',
      subject: subjectOf(id, text),
    }))
    await logActivity(tx, ctx, entries)
  })
}
