import { redirect } from '@remix-run/node'
import { z } from 'zod'
import { MARKS } from '~/domain/lists/prompt-marks'
import { changePromptList } from '~/domain/lists/prompt-list.server'
import { promptsAdded } from '~/domain/lists/prompts-again.server'
import { removeWording, saveWording } from '~/domain/lists/saved-wordings.server'
import { listOverDaysForm, startListForm, type StartListInput } from '~/domain/lists/schemas'
import { moveListToPromptField, startList } from '~/domain/lists/start-list.server'
import type { ListChoice } from '~/domain/lists/types'
import { WORDING_CHARACTERS } from '~/domain/lists/wording'
import type { UserCtx } from '~/domain/context'
import { picturesOf } from '~/domain/videos/requests/picture-video.server'
import { optionalText, plainWhole } from '~/lib/fields'
import { paths } from '~/lib/paths'
import { form, type FormHandler } from '~/http/forms/forms.server'
import { readFormKey } from '~/http/forms/idempotency.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { rewriteListForms } from '~/http/actions/rewrite-forms.server'
import { pictureListForms } from '~/http/actions/picture-forms.server'
import { askOrTitle, bulkTitle, startedBatch } from '~/http/actions/started-batch.server'

const wordingForm = z.object({
  wording: optionalText({ label: 'Wording', max: WORDING_CHARACTERS }).transform(
    (text) => text ?? '',
  ),
})
const number = plainWhole(0, 1_000_000)

type Handlers = Record<string, FormHandler>

/** Returns the form handlers of the page that shows a list of prompts, by intent. */
export const listForms = (ctx: UserCtx): Handlers => ({
  ...changeForms(ctx),
  ...wordingForms(ctx),
  ...usingForms(ctx),
  ...rewriteListForms(ctx),
  ...(picturesOf(ctx) === 'on' ? pictureListForms(ctx, { back: paths.list }) : {}),
})

function changeForms(ctx: UserCtx): Handlers {
  const change = <Schema extends z.ZodTypeAny>(
    schema: Schema,
    choiceOf: (input: z.output<Schema>) => ListChoice,
  ) =>
    form('List not changed', schema, async (input: z.output<Schema>) => {
      await changePromptList(ctx, choiceOf(input))
      return redirect(paths.list, 303)
    })
  return {
    'read-list': change(
      z.object({ column: number, encoding: z.string().optional() }),
      ({ column, encoding = null }) => ({ kind: 'read', column, encoding }),
    ),
    'read-sheet': change(z.object({ sheet: number }), ({ sheet }) => ({ kind: 'sheet', sheet })),
    'leave-row': change(z.object({ row: number }), ({ row }) => ({ kind: 'row', row })),
    'leave-marked': change(z.object({ mark: z.enum(MARKS) }), ({ mark }) => ({
      kind: 'mark',
      mark,
    })),
    'write-out': change(z.object({ isWrittenOut: z.enum(['yes', 'no']) }), (input) => ({
      kind: 'variants',
      isWrittenOut: input.isWrittenOut === 'yes',
    })),
    'own-settings': change(z.object({ hasOwn: z.enum(['yes', 'no']) }), (input) => ({
      kind: 'own',
      hasOwn: input.hasOwn === 'yes',
    })),
    'write-list': form('List not changed', wordingForm, async ({ wording }) => {
      await changePromptList(ctx, { kind: 'wording', wording })
      // Takes the place of an earlier refusal.
      return redirectWithToast(paths.list, { kind: 'success', title: 'Wording used' })
    }),
    'as-before': change(z.object({}), () => ({ kind: 'as-before' })),
    'bring-back': change(z.object({}), () => ({ kind: 'all' })),
    'discard-list': form('List not removed', z.object({}), async () => {
      await changePromptList(ctx, { kind: 'drop' })
      return redirectWithToast(paths.create('bulk'), { kind: 'success', title: 'List removed' })
    }),
  }
}

function wordingForms(ctx: UserCtx): Handlers {
  const done = (title: string) => redirectWithToast(paths.list, { kind: 'success', title })
  return {
    'save-wording': form('Wording not saved', wordingForm, async ({ wording }) => {
      await changePromptList(ctx, { kind: 'wording', wording })
      await saveWording(ctx, wording)
      return done('Wording saved')
    }),
    'remove-wording': form('Wording not removed', z.object({ id: z.string() }), async ({ id }) => {
      await removeWording(ctx, id)
      return done('Wording removed')
    }),
  }
}

function usingForms(ctx: UserCtx): Handlers {
  const overDays = (more: Pick<StartListInput, 'queue'> = {}) =>
    form(bulkTitle, listOverDaysForm, async ({ all, ...input }, data) => {
      const order = { ...input, ...more, first: all, carryOver: true as const }
      return startedBatch(await startList(ctx, order, readFormKey(data)))
    })
  return {
    'list-to-box': form('List not moved', z.object({}), async () => {
      const { count, hasLost } = await moveListToPromptField(ctx)
      const left =
        'Settings, names or pictures of the rows were left behind: the box has one setting and one picture for all.'
      const toast = { kind: 'success', title: promptsAdded(count) } as const
      return redirectWithToast(paths.create('bulk'), {
        ...toast,
        ...(hasLost && { description: left }),
      })
    }),
    'start-list': form(askOrTitle, startListForm, async (input, data) =>
      startedBatch(await startList(ctx, input, readFormKey(data))),
    ),
    'list-over-days': overDays(),
    'queue-list': overDays({ queue: true }),
  }
}
