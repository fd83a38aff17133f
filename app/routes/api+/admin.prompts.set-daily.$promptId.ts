import { json } from '@remix-run/node'
import { z } from 'zod'
import { setDailyPrompt } from '~/domain/prompts/library.server'
import { adminCall } from '~/http/endpoints/api.server'

export const action = adminCall(z.object({}), async ({ ctx, params }) =>
  json(await setDailyPrompt(ctx, params.promptId ?? '')),
)
