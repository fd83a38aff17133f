import { copyPrompt, getDailyPrompt } from '~/domain/prompts/daily.server'
import { NO_BODY, userCall } from '~/http/endpoints/api.server'

export const action = userCall(NO_BODY, async ({ ctx, params }) => {
  await copyPrompt(ctx, params.promptId ?? '')
  return getDailyPrompt(ctx)
})
