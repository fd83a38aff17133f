import { z } from 'zod'
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
import { adminCall, userCall } from '../api.server'
import { dailyPrompt, doneAndCounted, libraryPrompt, messageAndCount } from './answers'
import { SOME_ID } from './examples'

/** The calls of the daily prompt and of the library of prompts. */
export const promptsCalls = {
  'GET /api/prompts/daily': userCall({
    says: 'The prompt to show to this user',
    answer: dailyPrompt,
    errors: { NOT_FOUND: 'the library is empty' },
    run: async ({ ctx }) => getDailyPrompt(ctx),
  }),
  'POST /api/prompts/:promptId/copy': userCall({
    says: 'Counts a copy, and returns the prompt to show',
    answer: dailyPrompt,
    errors: { NOT_FOUND: '' },
    run: async ({ ctx, params }) => {
      await copyPrompt(ctx, params.promptId ?? '')
      return getDailyPrompt(ctx)
    },
  }),
  'POST /api/prompts/:promptId/skip': userCall({
    says: 'Counts a skip, and returns the next prompt',
    answer: dailyPrompt,
    errors: { NOT_FOUND: '' },
    run: async ({ ctx, params }) => {
      await skipPrompt(ctx, params.promptId ?? '')
      return getDailyPrompt(ctx)
    },
  }),
  'GET /api/admin/prompts': adminCall({
    says: 'All prompts, the current one first',
    answer: z.array(libraryPrompt),
    run: async ({ ctx }) => listPrompts(ctx),
  }),
  'POST /api/admin/prompts': adminCall({
    says: 'Adds a prompt',
    body: promptInput,
    status: 201,
    answer: libraryPrompt,
    example: { text: 'A red boat at dawn' },
    run: async ({ ctx, body }) => createPrompt(ctx, body),
  }),
  'POST /api/admin/prompts/bulk': adminCall({
    says: 'Adds the prompts of a text, one per line, 1,000 at most',
    body: bulkPromptsInput,
    status: 201,
    answer: messageAndCount,
    example: { prompts: 'A red boat at dawn\nA blue boat at dusk' },
    run: async ({ ctx, body }) => {
      const count = await importPrompts(ctx, body)
      return { message: importedMessage(count), count }
    },
  }),
  'PUT /api/admin/prompts/:promptId': adminCall({
    says: 'Changes the text of a prompt',
    body: promptInput,
    answer: libraryPrompt,
    errors: { NOT_FOUND: '' },
    example: { text: 'A red boat at dawn' },
    run: async ({ ctx, body, params }) => updatePrompt(ctx, { ...body, id: params.promptId ?? '' }),
  }),
  'DELETE /api/admin/prompts/:promptId': adminCall({
    says: 'Deletes a prompt',
    answer: doneAndCounted,
    errors: { NOT_FOUND: '' },
    run: async ({ ctx, params }) => {
      await deletePrompt(ctx, params.promptId ?? '')
      return { success: true, count: 1 }
    },
  }),
  'POST /api/admin/prompts/delete-selected': adminCall({
    says: 'Deletes the named prompts, 10,000 at most',
    body: promptIdsInput,
    answer: doneAndCounted,
    example: { promptIds: [SOME_ID] },
    run: async ({ ctx, body }) => ({
      success: true,
      count: await deletePrompts(ctx, body.promptIds),
    }),
  }),
  'POST /api/admin/prompts/set-daily/:promptId': adminCall({
    says: 'Makes a prompt the current one until an administrator changes that',
    answer: libraryPrompt,
    errors: { NOT_FOUND: '' },
    run: async ({ ctx, params }) => setDailyPrompt(ctx, params.promptId ?? ''),
  }),
}
