import { getUserView } from '~/domain/quota/user-view.server'
import { NO_BODY, userCall } from '~/http/endpoints/api.server'

export const loader = userCall(NO_BODY, async ({ ctx }) => getUserView(ctx, ctx.actor.id))
