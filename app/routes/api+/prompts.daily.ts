import { json } from '@remix-run/node'
import { z } from 'zod'
import { getDailyPrompt } from '~/domain/prompts/daily.server'
import { userCall } from '~/http/endpoints/api.server'

export const loader = userCall(z.object({}), async ({ ctx }) => json(await getDailyPrompt(ctx)))
