import { deletePrompts } from '~/domain/prompts/library.server'
import { promptIdsInput } from '~/domain/prompts/schemas'
import { adminCall } from '~/http/endpoints/api.server'

export const action = adminCall(promptIdsInput, async ({ ctx, body }) => ({
  success: true,
  count: await deletePrompts(ctx, body.promptIds),
}))
