import { json } from '@remix-run/node'
import { z } from 'zod'
import { getUserView } from '~/domain/quota/user-view.server'
import { userCall } from '~/http/endpoints/api.server'

export const loader = userCall(z.object({}), async ({ ctx }) =>
  json(await getUserView(ctx, ctx.actor.id)),
)
