import { json } from '@remix-run/node'
import { NO_BODY, publicCall } from '~/http/endpoints/api.server'
import { endVisit } from '~/http/actions/sign-in.server'

export const action = publicCall(NO_BODY, async ({ context }) =>
  json({ success: true }, { headers: await endVisit(context) }),
)
