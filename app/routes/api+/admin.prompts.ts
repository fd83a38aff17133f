import { json } from '@remix-run/node'
import { z } from 'zod'
import { createPrompt, listPrompts } from '~/domain/prompts/library.server'
import { promptInput } from '~/domain/prompts/schemas'
import { adminCall } from '~/http/endpoints/api.server'

export const loader = adminCall(z.object({}), async ({ ctx }) => json(await listPrompts(ctx)))

export const action = adminCall(promptInput, async ({ ctx, body }) =>
  json(await createPrompt(ctx, body), { status: 201 }),
)
