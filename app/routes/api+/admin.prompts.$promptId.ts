import type { ActionFunctionArgs } from '@remix-run/node'
import { deletePrompt, updatePrompt } from '~/domain/prompts/library.server'
import { promptInput } from '~/domain/prompts/schemas'
import { adminCall, NO_BODY } from '~/http/endpoints/api.server'

const change = adminCall(promptInput, async ({ ctx, body, params }) =>
  updatePrompt(ctx, { ...body, id: params.promptId ?? '' }),
)

const remove = adminCall(NO_BODY, async ({ ctx, params }) => {
  await deletePrompt(ctx, params.promptId ?? '')
  return { success: true, count: 1 }
})

export const action = (args: ActionFunctionArgs) =>
  args.request.method === 'DELETE' ? remove(args) : change(args)
