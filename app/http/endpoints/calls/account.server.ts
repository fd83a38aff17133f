import { json } from '@remix-run/node'
import { changePassword } from '~/domain/accounts/change-password.server'
import { register } from '~/domain/accounts/register.server'
import {
  changePasswordInput,
  codeInput,
  registerInput,
  signInInput,
} from '~/domain/accounts/schemas'
import { finishSignIn } from '~/domain/accounts/sign-in-step.server'
import { verifyCredentials } from '~/domain/accounts/verify-credentials.server'
import { renewDevice } from '~/domain/notifications/devices.server'
import { notificationDeviceForm } from '~/domain/notifications/schemas'
import { getUserView } from '~/domain/quota/user-view.server'
import {
  codeNeeded,
  endVisit,
  sessionCookie,
  sessionHeaders,
  signedInResponse,
} from '../../actions/sign-in.server'
import { NO_BODY, publicCall, userCall } from '../api.server'

/** The calls of an account: signing in and out, and its password. */
export const accountCalls = {
  'POST /api/auth/login/code': publicCall(codeInput, async ({ ctx, body, request }) =>
    signedInResponse(ctx, await finishSignIn(ctx, body), request),
  ),
  'POST /api/auth/login': publicCall(signInInput, async ({ ctx, body, request }) => {
    const { account, step } = await verifyCredentials(ctx, body)
    return account ? signedInResponse(ctx, account, request) : codeNeeded(step, ctx.requestId)
  }),
  'POST /api/auth/logout': publicCall(NO_BODY, async ({ context }) =>
    json({ success: true }, { headers: await endVisit(context) }),
  ),
  'GET /api/auth/me': userCall(NO_BODY, async ({ ctx }) => getUserView(ctx, ctx.actor.id)),
  'POST /api/auth/register': publicCall(registerInput, async ({ ctx, body, request }) => {
    const account = await register(ctx, body)
    const user = await getUserView(ctx, account.id)
    return json(
      { success: true, user },
      { status: 201, headers: await sessionHeaders(ctx, account, request) },
    )
  }),
  'PUT /api/account/device': userCall(notificationDeviceForm, async ({ ctx, body, context }) => {
    // Visitors of this call have a session: its access is not for programs.
    const sessionId = context.visitor?.sessionId ?? ''
    await renewDevice(ctx, { ...body, sessionId })
    return { success: true }
  }),
  'POST /api/auth/user/change-password': userCall(
    changePasswordInput,
    async ({ ctx, body, request }) => {
      const userAgent = request.headers.get('user-agent')
      const token = await changePassword(ctx, { ...body, userAgent })
      return json({ success: true }, { headers: await sessionCookie(token) })
    },
  ),
}
