import { json } from '@remix-run/node'
import { copyPrompt, getDailyPrompt, skipPrompt } from '~/domain/prompts/daily.server'
import {
  createPrompt,
  deletePrompt,
  deletePrompts,
  importPrompts,
  listPrompts,
  setDailyPrompt,
  updatePrompt,
} from '~/domain/prompts/library.server'
import { importedMessage } from '~/domain/prompts/rules'
import { bulkPromptsInput, promptIdsInput, promptInput } from '~/domain/prompts/schemas'
import { NO_BODY, adminCall, userCall } from '../api.server'

/** The calls of the daily prompt and of the library of prompts. */
export const promptsCalls = {
  'PUT /api/admin/prompts/:promptId': adminCall(promptInput, async ({ ctx, body, params }) =>
    updatePrompt(ctx, { ...body, id: params.promptId ?? '' }),
  ),
  'DELETE /api/admin/prompts/:promptId': adminCall(NO_BODY, async ({ ctx, params }) => {
    await deletePrompt(ctx, params.promptId ?? '')
    return { success: true, count: 1 }
  }),
  'POST /api/admin/prompts/bulk': adminCall(bulkPromptsInput, async ({ ctx, body }) => {
    const count = await importPrompts(ctx, body)
    return json({ message: importedMessage(count), count }, { status: 201 })
  }),
  'POST /api/admin/prompts/delete-selected': adminCall(promptIdsInput, async ({ ctx, body }) => ({
    success: true,
    count: await deletePrompts(ctx, body.promptIds),
  })),
  'POST /api/admin/prompts/set-daily/:promptId': adminCall(NO_BODY, async ({ ctx, params }) =>
    setDailyPrompt(ctx, params.promptId ?? ''),
  ),
  'GET /api/admin/prompts': adminCall(NO_BODY, async ({ ctx }) => listPrompts(ctx)),
  'POST /api/admin/prompts': adminCall(promptInput, async ({ ctx, body }) =>
    json(await createPrompt(ctx, body), { status: 201 }),
  ),
  'POST /api/prompts/:promptId/copy': userCall(NO_BODY, async ({ ctx, params }) => {
    await copyPrompt(ctx, params.promptId ?? '')
    return getDailyPrompt(ctx)
  }),
  'POST /api/prompts/:promptId/skip': userCall(NO_BODY, async ({ ctx, params }) => {
    await skipPrompt(ctx, params.promptId ?? '')
    return getDailyPrompt(ctx)
  }),
  'GET /api/prompts/daily': userCall(NO_BODY, async ({ ctx }) => getDailyPrompt(ctx)),
}
