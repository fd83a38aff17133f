import { json } from '@remix-run/node'
import { z } from 'zod'
import { publicCall } from '~/http/api.server'
import { endVisit } from '~/http/sign-in.server'

export const action = publicCall(z.object({}), async ({ context }) =>
  json({ success: true }, { headers: await endVisit(context) }),
)
