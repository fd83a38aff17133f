import { json } from '@remix-run/node'
import { z } from 'zod'
import { publicCall } from '~/http/endpoints/api.server'
import { endVisit } from '~/http/actions/sign-in.server'

export const action = publicCall(z.object({}), async ({ context }) =>
  json({ success: true }, { headers: await endVisit(context) }),
)
