import { json } from '@remix-run/node'
import { createPrompt, listPrompts } from '~/domain/prompts/library.server'
import { promptInput } from '~/domain/prompts/schemas'
import { adminCall, NO_BODY } from '~/http/endpoints/api.server'

export const loader = adminCall(NO_BODY, async ({ ctx }) => listPrompts(ctx))

export const action = adminCall(promptInput, async ({ ctx, body }) =>
  json(await createPrompt(ctx, body), { status: 201 }),
)
