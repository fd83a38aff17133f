import { z } from 'zod'
import { plural } from '~/lib/figures'
import { runningTimeout } from '~/lib/running-time'
import { linesOf, trimText } from '~/lib/text'
import { seconds } from '~/lib/time'
import type { Tx } from '~/platform/db/port'
import type { Rewrite, TextService } from '~/platform/texts/port'
import { requireGoodStanding } from '../accounts/standing.server'
import { takeAll } from '../accounts/tries.server'
import { parsePromptLines, type PromptLine } from '../batches/rules'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import {
  findLooked,
  getDrafts,
  lockDraft,
  saveDraft,
  saveLooked,
} from '../videos/requests/drafts.server'
import { DRAFT_KINDS, type DraftKind } from '../videos/requests/drafts'
import {
  readRewrite,
  REWRITE_LIMITS,
  REWRITES,
  TEXT_PROBLEMS,
  whyNotSent,
  type RewriteRow,
} from './rewrites'
import { lockList, openList, parseList, storeList, versionOf } from './stored-list.server'

/** Where prompts come from, and where what is used of a preview goes. */
const SOURCES = [...DRAFT_KINDS, 'list'] as const
export type RewriteSource = (typeof SOURCES)[number]

const row = z.intersection(
  z.object({ place: z.number(), before: z.string() }),
  z.union([
    z.object({ after: z.string(), notes: z.array(z.string()) }),
    z.object({ after: z.null(), why: z.string() }),
  ]),
)
const preview = z.object({
  of: z.enum(SOURCES),
  act: z.enum(REWRITES),
  rows: z.array(row),
  /** How many prompts were too many for one press. */
  left: z.number(),
})
type Preview = z.output<typeof preview>

/** What a text service makes of prompts, to be looked through. Nothing is changed before it is used. */
export type RewriteView = Preview & { version: string }

/** Proxies in front wait for a minute. */
const PATIENCE_MS = seconds(45)
/** What one request takes, so that its answer is not cut off. */
const CHUNK = { prompts: 25, characters: 20_000 }

/**
 * Has the prompt in the box of one video, or those in the bulk box, rewritten as a preview. Throws like
 * `rewriteList`.
 */
export const rewriteBox = (ctx: UserCtx, act: Rewrite, { of, text }: Box) =>
  rewrite(ctx, act, {
    of,
    prompts: of === 'bulk' ? parsePromptLines(text) : [{ line: 1, text: trimText(text) }],
  })

type Box = { of: DraftKind; text: string }

/**
 * Has the first rows of the list rewritten as a preview, which replaces the one before. Throws NOT_FOUND
 * without a list, BAD_INPUT if no prompt can be sent, RATE_LIMITED, CONFLICT if nothing usable came, and like
 * `requireGoodStanding`.
 */
export async function rewriteList(ctx: UserCtx, act: Rewrite): Promise<void> {
  const text = await findLooked(ctx, 'list')
  const { rows } = text === null ? { rows: [] } : await openList(await parseList(text))
  const prompts = rows.map(({ row, prompt }) => ({ line: row + 1, text: prompt }))
  await rewrite(ctx, act, { of: 'list', prompts })
}

type Asked = { of: RewriteSource; prompts: readonly PromptLine[] }

async function rewrite(ctx: UserCtx, act: Rewrite, { of, prompts }: Asked): Promise<void> {
  const { texts: service } = ctx
  if (service === null) throw new AppError('NOT_FOUND', 'There is nothing here')
  const taken = firstOf(distinct(prompts), REWRITE_LIMITS)
  const sent = taken.filter(({ text }) => whyNotSent(text) === null)
  if (sent.length === 0) {
    const why = whyNotSent(taken[0]?.text ?? '')
    throw new AppError('BAD_INPUT', `Nothing was sent. ${why}`)
  }
  await ctx.db.transaction((tx) => requireGoodStanding(ctx, tx))
  await takeAll([[ctx.throttles.rewriteByUser, ctx.actor.id]], tooMany)
  const answers = await answersTo(ctx, service, { act, texts: sent.map(({ text }) => text) })
  const rows = taken.map(({ line: place, text: before }) => {
    const why = whyNotSent(before)
    return { place, ...(answers.get(before) ?? { before, after: null, why: why ?? '' }) }
  })
  const [only, ...others] = rows
  if (only?.after === null && others.length === 0) throw new AppError('CONFLICT', only.why)
  const stored: Preview = { of, act, rows, left: distinct(prompts).length - taken.length }
  await saveLooked(ctx, 'rewrite', JSON.stringify(stored))
}

const tooMany = (wait: number) =>
  `You have asked the text service often in this hour. Nothing was sent. Try again in ${plural(Math.max(1, Math.ceil(wait / 60)), 'minute')}.`

/** Equal prompts are sent once. */
function distinct(prompts: readonly PromptLine[]): PromptLine[] {
  const seen = new Set<string>()
  return prompts.filter(({ text }) => !seen.has(text) && seen.add(text))
}

/** Returns the first prompts up to a limit, at least one. */
function firstOf<T extends { text: string }>(
  all: readonly T[],
  most: { prompts: number; characters: number },
): T[] {
  let characters = 0
  const end = all.findIndex(({ text }, i) => {
    characters += text.length
    return i > 0 && (i >= most.prompts || characters > most.characters)
  })
  return all.slice(0, end < 0 ? all.length : end)
}

/** Splits texts into requests. */
function chunksOf(texts: readonly string[]): string[][] {
  const chunks: string[][] = []
  let rest = texts.map((text) => ({ text }))
  while (rest.length > 0) {
    const chunk = firstOf(rest, CHUNK)
    chunks.push(chunk.map(({ text }) => text))
    rest = rest.slice(chunk.length)
  }
  return chunks
}

type Request = { act: Rewrite; texts: readonly string[] }

/**
 * Returns what the service makes of each text. A request that failed leaves its texts as they are. Throws
 * CONFLICT if all failed.
 */
async function answersTo(
  { log, actor }: UserCtx,
  service: TextService,
  { act, texts }: Request,
): Promise<Map<string, RewriteRow>> {
  const signal = runningTimeout(PATIENCE_MS)
  const answered = await Promise.all(
    chunksOf(texts).map(async (chunk) => ({
      chunk,
      result: await service.rewrite(act, chunk, signal),
    })),
  )
  const failed = answered.flatMap(({ result }) => ('problem' in result ? [result] : []))
  for (const facts of failed) log.warn({ ...facts, userId: actor.id }, 'the text service failed')
  const [first] = failed
  if (first && failed.length === answered.length)
    throw new AppError('CONFLICT', TEXT_PROBLEMS[first.problem])
  return new Map(
    answered.flatMap(({ chunk, result }) =>
      chunk.map((before, i): [string, RewriteRow] => [
        before,
        'problem' in result
          ? { before, after: null, why: TEXT_PROBLEMS[result.problem] }
          : readRewrite(before, result.texts[i], act),
      ]),
    ),
  )
}

/** Returns the preview that the user looks through, or null. */
export async function viewRewrite(ctx: UserCtx): Promise<RewriteView | null> {
  const text = await findLooked(ctx, 'rewrite')
  return text === null ? null : { ...preview.parse(JSON.parse(text)), version: versionOf(text) }
}

const GONE = 'It was used or dropped, maybe in another tab. Your prompts are as you left them.'

/** Drops the preview. Returns where its prompts are. Throws NOT_FOUND if there is none. */
export const dropRewrite = (ctx: UserCtx): Promise<RewriteSource> =>
  ctx.db.transaction(async (tx) => {
    const { of } = await lockPreview(ctx, tx)
    await saveLooked({ ...ctx, db: tx }, 'rewrite', null)
    return of
  })

async function lockPreview(ctx: UserCtx, tx: Tx, seen?: string): Promise<Preview> {
  const text = await lockDraft(tx, ctx, 'rewrite')
  if (text === null) throw new AppError('NOT_FOUND', GONE)
  if (seen === undefined || seen === versionOf(text)) return preview.parse(JSON.parse(text))
  throw new AppError(
    'CONFLICT',
    'There is a newer preview, maybe from another tab. Nothing was changed. Look at it and tick again.',
  )
}

type Use = { version: string; taken: readonly number[] }

/**
 * Puts the ticked rows of the preview that the user has seen in place of their prompts, and drops it.
 * Nothing else changes. Returns where they are, how many were replaced, and how many were not there any more.
 * Throws NOT_FOUND, BAD_INPUT without a tick, and CONFLICT if the preview is another one or no prompt is
 * there.
 */
export async function useRewrite(
  ctx: UserCtx,
  { version, taken }: Use,
): Promise<{ of: RewriteSource; used: number; missing: number }> {
  return ctx.db.transaction(async (tx) => {
    const { of, rows } = await lockPreview(ctx, tx, version)
    const chosen = new Map<string, string>()
    for (const { before, after } of taken.flatMap((i) => rows[i] ?? []))
      if (after !== null) chosen.set(before, after)
    if (chosen.size === 0) throw new AppError('BAD_INPUT', 'Tick at least one row.')
    const used = await (of === 'list' ? intoList : intoBox)(ctx, tx, { of, chosen })
    if (used === 0)
      throw new AppError('CONFLICT', 'These prompts are not there any more. Nothing was changed.')
    await saveLooked({ ...ctx, db: tx }, 'rewrite', null)
    return { of, used, missing: chosen.size - used }
  })
}

type Chosen = { of: RewriteSource; chosen: ReadonlyMap<string, string> }

/** Returns how many of the prompts were there. */
async function intoBox(ctx: UserCtx, tx: Tx, { of, chosen }: Chosen): Promise<number> {
  if (of === 'list') return 0
  const text = (await lockDraft(tx, ctx, of)) ?? ''
  const parts = of === 'bulk' ? linesOf(text) : [text]
  const found = new Set(parts.map(trimText).filter((part) => chosen.has(part)))
  const drafts = { actor: ctx.actor, db: tx }
  const { [of]: draft } = await getDrafts(drafts)
  const next = parts.map((part) => chosen.get(trimText(part)) ?? part).join('\n')
  if (found.size > 0) await saveDraft(drafts, of, { ...draft, text: next })
  return found.size
}

async function intoList(ctx: UserCtx, tx: Tx, { chosen }: Chosen): Promise<number> {
  const list = await lockList(ctx, tx)
  const { rows } = await openList(list)
  const found = new Set(rows.map(({ prompt }) => prompt).filter((prompt) => chosen.has(prompt)))
  // What was rewritten before and is rewritten again is known by what stands in the file.
  const again = list.rewritten.map(([from, to]): [string, string] => [from, chosen.get(to) ?? to])
  await storeList(ctx, tx, { ...list, rewritten: [...new Map([...chosen, ...again])] })
  return found.size
}
