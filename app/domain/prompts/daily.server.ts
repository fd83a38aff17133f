import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { Executor } from '~/platform/db/port'
import type { UserCtx } from '../context'
import { databaseToday, today } from '../days.server'
import { AppError } from '../errors'
import { byTurn, keepCurrent, rotateDailyPrompt } from './current.server'
import type { DailyPrompt } from './types'

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

/** Returns the text of a prompt of the library, or null if it does not exist. */
export async function findPromptText(ctx: UserCtx, id: string | null): Promise<string | null> {
  if (id === null || !isId(id)) return null
  const row = await ctx.db.prisma(({ prompt }) =>
    prompt.findFirst({ where: { id }, select: { text: true } }),
  )
  return row?.text ?? null
}

/** Counts a copy of a prompt and returns its text. Throws NOT_FOUND. */
export async function copyPrompt(ctx: UserCtx, promptId: string): Promise<{ text: string }> {
  if (!isId(promptId)) throw noSuchPrompt()
  const [copied] = await ctx.db.prisma(({ prompt }) =>
    prompt.updateManyAndReturn({
      where: { id: promptId },
      data: { copyCount: { increment: 1 } },
      select: { text: true },
    }),
  )
  if (!copied) throw noSuchPrompt()
  return copied
}

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
