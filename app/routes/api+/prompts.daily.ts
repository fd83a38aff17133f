import { getDailyPrompt } from '~/domain/prompts/daily.server'
import { NO_BODY, userCall } from '~/http/endpoints/api.server'

export const loader = userCall(NO_BODY, async ({ ctx }) => getDailyPrompt(ctx))
