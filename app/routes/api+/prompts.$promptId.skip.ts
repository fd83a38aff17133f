import { json } from '@remix-run/node'
import { z } from 'zod'
import { getDailyPrompt, skipPrompt } from '~/domain/prompts/daily.server'
import { userCall } from '~/http/endpoints/api.server'

export const action = userCall(z.object({}), async ({ ctx, params }) => {
  await skipPrompt(ctx, params.promptId ?? '')
  return json(await getDailyPrompt(ctx))
})
