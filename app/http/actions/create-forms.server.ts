import { redirect } from '@remix-run/node'
import { z } from 'zod'
import { paths, safeRedirect } from '~/lib/paths'
import { getBatchSummary } from '~/domain/batches/batch-list.server'
import { countStarted } from '~/domain/batches/batches-in-line.server'
import { cancelBatch } from '~/domain/batches/cancel-batch.server'
import { stoppedText, withNext } from '~/domain/batches/rules'
import { startBatchForm, type BatchReceipt, type StartBatchInput } from '~/domain/batches/schemas'
import { startBatch, startPicturedBatch } from '~/domain/batches/start-batch.server'
import { leaveLine } from '~/domain/batches/steer-line.server'
import type { UserCtx } from '~/domain/context'
import { eachText } from '~/domain/videos/order-fields'
import { readDraft } from '~/domain/videos/requests/drafts'
import { keepRest, saveDraft } from '~/domain/videos/requests/drafts.server'
import { readLastPicture } from '~/domain/videos/requests/last-picture.server'
import { generateVideo } from '~/domain/videos/requests/generate-video.server'
import {
  generateFromPicture,
  pictureVideoForm,
  picturesOf,
} from '~/domain/videos/requests/picture-video.server'
import { listSinglesInLine } from '~/domain/videos/gallery/progress.server'
import { aheadText } from '~/domain/videos/rules'
import {
  generateVideoInput,
  type GenerateVideoInput,
  type VideoReceipt,
} from '~/domain/videos/schemas'
import { fileOf, textOf } from '../forms/form-data.server'
import { form, type FormHandler, type Success } from '../forms/forms.server'
import { readFormKey } from '../forms/idempotency.server'
import { redirectWithToast } from '../session/toast.server'
import { leftLine, steerForms } from './batch-forms.server'
import { bulkBoxForms, orTable } from './bulk-box-forms.server'
import { orPressed, rewriteBoxForms } from './rewrite-forms.server'
import { keepBox, pictureListForms, SHOWN, withChosenPictures } from './picture-forms.server'
import { askOrTitle, bulkTitle, startedBatch } from './started-batch.server'

type Handlers = Record<string, FormHandler>

/** Returns the form handlers of the create screen and its receipt by intent. */
export function createForms(ctx: UserCtx): Handlers {
  const { 'review-batch': reviewBox, ...starting } = batchForms(ctx)
  const boxes = bulkBoxForms(ctx)
  const review = orChosenFile(reviewBox, boxes['add-file'])
  const rewriting = rewriteBoxForms(ctx)
  const bulk = { ...starting, 'review-batch': review, ...boxes, ...rewriting }
  const single = { generate: orPressed(generating(ctx), rewriting) }
  if (picturesOf(ctx) !== 'on') return { ...single, ...bulk }
  return {
    ...single,
    ...pictureForms(ctx),
    ...withChosenPictures(ctx, bulk, review),
    ...pictureListForms(ctx, { back: paths.create('bulk'), keep: keepBox(ctx) }),
  }
}

/** Without scripts a file can be chosen and not added. It is read in place of an empty box. */
const orChosenFile = (review: FormHandler, addFile: FormHandler = review): FormHandler => ({
  ...review,
  run: (data) => {
    const file = data.get('file')
    const isEmpty = textOf(data, 'promptLines').trim() === ''
    return (isEmpty && file instanceof File && file.size > 0 ? addFile : review).run(data)
  },
})

/** `nextDay`: the button that is there when today's quota is used up. */
const singleForm = generateVideoInput.extend({ nextDay: z.literal('yes').optional() })

const generating = (ctx: UserCtx): FormHandler =>
  form('Generation failed', singleForm, async ({ nextDay, ...input }, data) => {
    const key = readFormKey(data)
    const started = nextDay
      ? startedBatch(await startBatch(ctx, onNextDay(input), key))
      : await startedVideo(ctx, await generateVideo(ctx, input, key), 'text')
    await keepRest(ctx, 'single', { ...input, text: '' })
    return started
  })

/** A batch of one prompt, which waits for its day, and for the running batch if there is one. */
const onNextDay = ({ prompt, aspectRatio, ...texts }: GenerateVideoInput): StartBatchInput => ({
  ...eachText((name) => texts[name]),
  aspectRatio,
  prompts: [prompt],
  carryOver: true,
  queue: true,
})

/**
 * Leads to the page that follows the video, or back to the form if the video waits in line: the next prompt
 * can be added.
 */
async function startedVideo(
  ctx: UserCtx,
  { id }: VideoReceipt,
  tab: 'text' | 'image',
): Promise<Success> {
  const kind = 'success'
  const ahead = (await listSinglesInLine(ctx)).indexOf(id)
  return ahead < 0
    ? { to: paths.watch(id), toast: { kind, title: 'Generation started' } }
    : {
        to: paths.create(tab),
        toast: { kind, title: 'Added to the line', description: aheadText(ahead) },
      }
}

const pictureForms = (ctx: UserCtx): Handlers => ({
  'generate-from-picture': form('Generation failed', pictureVideoForm, async (input, data) => {
    const from = data.get('continues')
    const bytes =
      typeof from === 'string'
        ? await readLastPicture(ctx, from)
        : (await fileOf(data, 'picture')).bytes
    // Without a chosen file the field sends an empty one.
    const { bytes: end } = await fileOf(data, 'endPicture')
    const endBytes = end.length > 0 ? end : undefined
    const receipt = await generateFromPicture(ctx, { input, bytes, endBytes }, readFormKey(data))
    await saveDraft(ctx, 'single', { ...readDraft(data, 'prompt'), text: '' })
    return startedVideo(ctx, receipt, 'image')
  }),
})

const part = z.object({ part: z.number().int().min(1) })
const partForm = z.intersection(startBatchForm, part)
const stopForm = z.object({
  batchId: z.string(),
  /** The tab from which the batch is stopped. */
  tab: z.enum(['text', 'image', 'bulk']).catch('bulk'),
  /** The page from which it is stopped, if that is another one. */
  from: z.string().nullable().default(null),
  /** Whether it is to be stopped only if it waits in line. */
  isInLine: z.literal('yes').optional(),
})

function batchForms(ctx: UserCtx): Handlers & { 'review-batch': FormHandler } {
  const start = async (input: StartBatchInput, data: FormData, rest: string[] = []) => {
    const receipt = await startFromBox(ctx, { input, data, keeps: rest.length > 0 }).catch(
      async (error: unknown) => {
        // Another tab may have started the draft, and so emptied it: the receipt shows what this one
        // has sent.
        await saveDraft(ctx, 'bulk', readDraft(data, 'promptLines'))
        throw error
      },
    )
    await keepRest(ctx, 'bulk', { ...input, text: rest.join('\n') })
    return startedBatch(receipt)
  }
  const starting = (choices: Pick<StartBatchInput, 'carryOver' | 'queue'>) =>
    orTable(
      ctx,
      form(choices.carryOver ? bulkTitle : askOrTitle, startBatchForm, (input, data) =>
        start({ ...input, ...choices }, data),
      ),
    )
  return {
    'start-batch': starting({}),
    'run-part': orTable(
      ctx,
      form(askOrTitle, partForm, ({ part: n, prompts, ...rest }, data) =>
        start({ prompts: prompts.slice(0, n), ...rest }, data),
      ),
    ),
    // The first `part` prompts start. The rest stays in the box for another day (decision Q-7).
    'run-part-hold': orTable(
      ctx,
      form(askOrTitle, partForm, ({ part: n, prompts, ...rest }, data) =>
        start({ prompts: prompts.slice(0, n), ...rest }, data, prompts.slice(n)),
      ),
    ),
    // What does not fit waits in the batch for the next days (decision 19).
    'run-over-days': starting({ carryOver: true }),
    'queue-batch': starting({ carryOver: true, queue: true }),
    'review-batch': orTable(
      ctx,
      form(bulkTitle, startBatchForm, async (_input, data) => {
        const version = await saveDraft(ctx, 'bulk', readDraft(data, 'promptLines'))
        return redirect(paths.receiptOf(version), 303)
      }),
    ),
    ...steerForms(ctx, (id) => paths.batch(id)),
    'stop-batch': stopping(ctx),
  }
}

type Sent = { input: StartBatchInput; data: FormData; keeps: boolean }

/** Starts prompts of the box, with the picture in the form where there are videos from pictures. */
function startFromBox(ctx: UserCtx, { input, data, keeps }: Sent): Promise<BatchReceipt> {
  const key = readFormKey(data)
  if (picturesOf(ctx) !== 'on') return startBatch(ctx, input, key)
  const box = { seen: textOf(data, SHOWN), keeps }
  return startPicturedBatch(ctx, { input, box, key })
}

/** Stops the running batch, or cancels one in line. The user may be writing on another tab. */
const stopping = (ctx: UserCtx): FormHandler =>
  form('Cancel Failed', stopForm, async ({ batchId, tab, from, isInLine }) => {
    if (isInLine) {
      await leaveLine(ctx, batchId)
      return redirectWithToast(paths.batch(batchId, tab), leftLine(batchId))
    }
    await cancelBatch(ctx, batchId)
    const { inProgress } = await getBatchSummary(ctx, batchId)
    return redirectWithToast(safeRedirect(from, paths.batch(batchId, tab)), {
      kind: 'success',
      title: 'Batch Cancelled ⛔',
      description: withNext(stoppedText(inProgress), await countStarted(ctx, batchId)),
    })
  })
