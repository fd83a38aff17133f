import {
  addedText,
  promptsAdded,
  promptsListed,
  putPromptsBack,
  usePromptsAgain,
  type PromptsAdded,
} from '~/domain/lists/prompts-again.server'
import { countStarted } from '~/domain/batches/batches-in-line.server'
import { unitsBackText, withNext } from '~/domain/batches/rules'
import { renameBatch } from '~/domain/batches/rename-batch.server'
import { retryBatch } from '~/domain/batches/retry-failed.server'
import {
  editWaitingForm,
  moveWaitingForm,
  oneBatchForm,
  removedPromptForm,
  renameBatchForm,
  waitingPromptForm,
} from '~/domain/batches/schemas'
import { pauseBatch, resumeBatch, stopAfterRound } from '~/domain/batches/steer-batch.server'
import { leaveLine, moveUpInLine } from '~/domain/batches/steer-line.server'
import { undoLeaving, undoRemoval } from '~/domain/batches/undo-removal.server'
import {
  editWaitingPrompt,
  moveWaitingPrompt,
  removeWaitingPrompt,
} from '~/domain/batches/waiting-prompts.server'
import type { UserCtx } from '~/domain/context'
import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { promptAnchor } from '~/lib/prompt-anchor'
import { form, type FormHandler } from '../forms/forms.server'
import { readFormKey } from '../forms/idempotency.server'
import type { Toast } from '../session/cookies.server'
import { redirectWithToast } from '../session/toast.server'
import { pageOf } from './gallery-forms.server'

/** Returns the form handlers of the list of batches and of a batch's page, by intent. */
export function batchForms(ctx: UserCtx, request: Request): Record<string, FormHandler> {
  const back = pageOf(request)
  const toPrompts = (added: PromptsAdded) => {
    const [page, title] =
      added.to === 'list'
        ? [paths.list, promptsListed(added.count)]
        : [paths.create('bulk'), promptsAdded(added.count)]
    const description = addedText(added)
    return redirectWithToast(page, {
      kind: 'success',
      title,
      ...(description !== undefined && { description }),
    })
  }
  return {
    'rename-batch': form('Batch not renamed', renameBatchForm, async ({ on, name }) => {
      const batch = await renameBatch(ctx, { id: on, name })
      return {
        to: back,
        toast: { kind: 'success', title: 'Batch renamed', description: batch.name },
      }
    }),
    'retry-batch': form('Retry failed', oneBatchForm, async ({ on }, data) => {
      const { count, message } = await retryBatch(ctx, on, readFormKey(data))
      if (count === 0) return { to: back, toast: { kind: 'info', title: message } }
      return { to: back, toast: { kind: 'success', title: 'Retry started', description: message } }
    }),
    ...steerForms(ctx, () => back),
    'stop-after-round': form('Nothing cancelled', oneBatchForm, async ({ on }) => {
      const cancelled = await stopAfterRound(ctx, on)
      const title = `${plural(cancelled.prompts, 'prompt')} cancelled`
      const text = `${unitsBackText(cancelled)} What was sent is finished.`
      const description = withNext(text, await countStarted(ctx, on))
      return { to: back, toast: { kind: 'success', title, description } }
    }),
    ...lineForms(ctx, back),
    ...promptForms(ctx, back),
    'put-back': form('Prompts not put back', oneBatchForm, async ({ on }) =>
      toPrompts(await putPromptsBack(ctx, on)),
    ),
    'use-again': form('Prompts not added', oneBatchForm, async ({ on }) =>
      toPrompts(await usePromptsAgain(ctx, on)),
    ),
  }
}

/** What can be done with a prompt that was not sent. Each leads to its row, or to the one after it. */
const promptForms = (ctx: UserCtx, back: string): Record<string, FormHandler> => ({
  'remove-prompt': form('Prompt not removed', waitingPromptForm, async ({ on, videoId }) => {
    const { place, next, undo } = await removeWaitingPrompt(ctx, { batchId: on, videoId })
    const description = undo === null ? withNext(ENDED, await countStarted(ctx, on)) : undefined
    const toast = { kind: 'success', title: `Prompt ${place} removed`, description } as const
    return {
      to: next === null ? back : back + promptAnchor(next),
      toast: undo === null ? toast : { ...toast, undo: undoForm(undo, on, videoId) },
    }
  }),
  'undo-prompt': form('Prompt not brought back', removedPromptForm, async ({ on }) => {
    const { batchId, place, hasUnit } = await undoRemoval(ctx, on)
    const title = `Prompt ${place} is back`
    const description = hasUnit ? 'It counts as one of today’s videos.' : 'It waits as before.'
    const to = paths.batchUnsent(batchId).replace(/#.*/, promptAnchor(place))
    return { to, toast: { kind: 'success', title, description }, reloads: true }
  }),
  'move-prompt': form('Prompt not moved', moveWaitingForm, async ({ on, videoId, to }) => {
    const { from, place } = await moveWaitingPrompt(ctx, { batchId: on, videoId, to })
    const title =
      from === place ? `Prompt ${place} is the ${ENDS[to]} one` : `Prompt ${from} moved ${WAYS[to]}`
    return { to: back + promptAnchor(place), toast: { kind: 'success', title } }
  }),
  'edit-prompt': form('Prompt not changed', editWaitingForm, async ({ on, videoId, prompt }) => {
    const place = await editWaitingPrompt(ctx, { batchId: on, videoId, prompt })
    return {
      to: paths.batchPage(on) + promptAnchor(place),
      toast: { kind: 'success', title: `Prompt ${place} changed` },
    }
  }),
})

const WAYS = { first: 'to the top', earlier: 'up', later: 'down' } as const
const ENDS = { first: 'first', earlier: 'first', later: 'last' } as const
const ENDED =
  'It was the last one, so the batch has ended. Its prompts can be put back into the box.'

const undoForm = (what: 'prompt' | 'batch', batchId: string, videoId?: string) => ({
  intent: `undo-${what}`,
  failed: what === 'prompt' ? 'Prompt not brought back' : 'Batch not brought back',
  on: (what === 'prompt' ? videoId : undefined) ?? batchId,
  action: paths.batchPage(batchId),
})

/** What can be done with a batch in line. */
const lineForms = (ctx: UserCtx, back: string): Record<string, FormHandler> => ({
  'move-up': form('Batch not moved', oneBatchForm, async ({ on }) => {
    await moveUpInLine(ctx, on)
    return { to: back, toast: { kind: 'success', title: 'Moved up in line' } }
  }),
  'leave-line': form('Batch not cancelled', oneBatchForm, async ({ on }) => {
    await leaveLine(ctx, on)
    return { to: back, toast: leftLine(on) }
  }),
  'undo-batch': form('Batch not brought back', oneBatchForm, async ({ on }) => {
    const { id, inLine, carried } = await undoLeaving(ctx, on)
    const description = inLine
      ? `Its place is ${inLine.place}, with ${plural(carried?.prompts ?? 0, 'prompt')}.`
      : 'No other one was running, so it has started.'
    const toast = { kind: 'success', title: 'Batch back in line', description } as const
    return { to: paths.batchPage(id), toast, reloads: true }
  }),
})

/** Says that a batch in line was cancelled. */
export const leftLine = (batchId: string): Toast => ({
  kind: 'success',
  title: 'Batch cancelled',
  description: 'It cost nothing. Its prompts can be put back.',
  undo: undoForm('batch', batchId),
})

/** Returns the handlers that pause and resume a batch. `backTo` is where they lead. */
export const steerForms = (
  ctx: UserCtx,
  backTo: (batchId: string) => string,
): Record<string, FormHandler> => ({
  'pause-batch': form('Batch not paused', oneBatchForm, async ({ on }) => {
    await pauseBatch(ctx, on)
    return { to: backTo(on), toast: { kind: 'success', title: 'Batch paused' } }
  }),
  'resume-batch': form('Batch not resumed', oneBatchForm, async ({ on }) => {
    await resumeBatch(ctx, on)
    return { to: backTo(on), toast: { kind: 'success', title: 'Batch resumed' } }
  }),
})
