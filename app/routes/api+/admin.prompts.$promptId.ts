import { json, type ActionFunctionArgs } from '@remix-run/node'
import { z } from 'zod'
import { deletePrompt, updatePrompt } from '~/domain/prompts/library.server'
import { promptInput } from '~/domain/prompts/schemas'
import { adminCall } from '~/http/endpoints/api.server'

const change = adminCall(promptInput, async ({ ctx, body, params }) =>
  json(await updatePrompt(ctx, { ...body, id: params.promptId ?? '' })),
)

const remove = adminCall(z.object({}), async ({ ctx, params }) => {
  await deletePrompt(ctx, params.promptId ?? '')
  return json({ success: true, count: 1 })
})

export const action = (args: ActionFunctionArgs) =>
  args.request.method === 'DELETE' ? remove(args) : change(args)
