import { setDailyPrompt } from '~/domain/prompts/library.server'
import { adminCall, NO_BODY } from '~/http/endpoints/api.server'

export const action = adminCall(NO_BODY, async ({ ctx, params }) =>
  setDailyPrompt(ctx, params.promptId ?? ''),
)
