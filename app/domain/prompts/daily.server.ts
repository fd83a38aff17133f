import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { Executor } from '~/platform/db/port'
import type { UserCtx } from '../context'
import { databaseToday, today } from '../days.server'
import { AppError } from '../errors'
import { isoText } from '../iso-text.server'
import { byTurn, keepCurrent, rotateDailyPrompt } from './current.server'
import type { DailyPrompt, PromptUse } from './types'

/** How many of the prompts that a user has used are kept. */
const MOST_USES = 100

/**
 * Returns the daily prompt for the actor: the current one, or the one they skipped to. Returns null
 * if the library is empty.
 */
export async function findDailyPrompt(ctx: UserCtx): Promise<DailyPrompt | null> {
  // The worker rotates at the reset hour. If no worker runs, the first reader does.
  await rotateDailyPrompt(ctx)
  const row = await ctx.db.row<DailyPrompt>(sql`
    select shown.id, shown.text, shown.copy_count as "copyCount", shown.skip_count as "skipCount"
    from prompts as current
    left join prompt_choices as choice on choice.user_id = ${ctx.actor.id}
      and choice.instead_of = current.id and choice.day = ${today(ctx.settings.timeZone)}
    join prompts as shown on shown.id = coalesce(choice.prompt_id, current.id)
    where current.is_current`)
  return row ?? null
}

/** Like `findDailyPrompt`, but throws NOT_FOUND if the library is empty. */
export async function getDailyPrompt(ctx: UserCtx): Promise<DailyPrompt> {
  const prompt = await findDailyPrompt(ctx)
  if (!prompt) throw new AppError('NOT_FOUND', 'There is no daily prompt')
  return prompt
}

/** Returns the text of a prompt that the library has or the actor has used. Null: neither. */
export async function findPromptText(
  { db, actor }: UserCtx,
  id: string | null,
): Promise<string | null> {
  if (id === null || !isId(id)) return null
  const row = await db.row<{ text: string }>(sql`
    select text from prompts where id = ${id}
    union all select text from prompt_uses where user_id = ${actor.id} and prompt_id = ${id}
    limit 1`)
  return row?.text ?? null
}

/** Counts a copy of a prompt, notes that the actor used it, and returns its text. Throws NOT_FOUND. */
export async function copyPrompt(
  { db, actor }: UserCtx,
  promptId: string,
): Promise<{ text: string }> {
  if (!isId(promptId)) throw noSuchPrompt()
  return db.transaction(async (tx) => {
    const copied = await tx.row<{ text: string }>(sql`
      update prompts set copy_count = copy_count + 1 where id = ${promptId} returning text`)
    if (!copied) throw noSuchPrompt()
    await tx.run(sql`
      insert into prompt_uses (user_id, prompt_id, text, used_at)
      values (${actor.id}, ${promptId}, ${copied.text}, engine_now())
      on conflict (user_id, prompt_id) do update set text = excluded.text, used_at = excluded.used_at`)
    await tx.run(sql`
      delete from prompt_uses where user_id = ${actor.id} and used_at < (
        select used_at from prompt_uses where user_id = ${actor.id}
        order by used_at desc offset ${MOST_USES - 1} limit 1)`)
    return copied
  })
}

/** Returns the prompts of the library that the actor has used, the latest first, at most 100. */
export const listPromptUses = ({ db, actor }: UserCtx): Promise<PromptUse[]> =>
  db.rows<PromptUse>(sql`
    select prompt_id as id, text, ${isoText(sql`used_at`)} as "usedAt" from prompt_uses
    where user_id = ${actor.id} order by used_at desc, prompt_id limit ${MOST_USES}`)

/**
 * Counts a skip and shows this user the next prompt until the day ends or the current one changes
 * (decision Q-46). If the library has only one prompt, it stays. Throws NOT_FOUND.
 */
export async function skipPrompt(ctx: UserCtx, promptId: string): Promise<void> {
  if (!isId(promptId)) throw noSuchPrompt()
  await ctx.db.transaction(async (tx) => {
    await keepCurrent(tx)
    const { count } = await tx.prisma(({ prompt }) =>
      prompt.updateMany({ where: { id: promptId }, data: { skipCount: { increment: 1 } } }),
    )
    if (count === 0) throw noSuchPrompt()
    const current = await tx.prisma(({ prompt }) =>
      prompt.findFirst({ where: { isCurrent: true }, select: { id: true } }),
    )
    if (!current) return
    const day = await databaseToday(tx, ctx.settings.timeZone)
    const choice = { promptId: await findNext(tx, promptId), insteadOf: current.id, day }
    const userId = ctx.actor.id
    await tx.prisma(({ promptChoice }) =>
      promptChoice.upsert({ where: { userId }, create: { userId, ...choice }, update: choice }),
    )
  })
}

/** Returns the prompt after this one in the order of turns, cyclically. */
async function findNext(db: Executor, promptId: string): Promise<string> {
  const row = await db.row<{ id: string }>(sql`
    with turns as (select id, row_number() over (order by ${byTurn}) as turn from prompts)
    select id from turns
    order by turn <= (select turn from turns where id = ${promptId}), turn limit 1`)
  return row?.id ?? promptId
}

export const noSuchPrompt = () => new AppError('NOT_FOUND', 'This prompt does not exist')
