import { json } from '@remix-run/node'
import { z } from 'zod'
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
import { redeemInput } from '~/domain/administration/codes/code-schemas'
import { redeemCode } from '~/domain/administration/codes/redeem-code.server'
import { renewDevice } from '~/domain/notifications/devices.server'
import { notificationDeviceForm } from '~/domain/notifications/schemas'
import { getUserView } from '~/domain/quota/user-view.server'
import {
  codeNeeded,
  endVisit,
  sessionCookie,
  browserOf,
  sessionHeaders,
  signedInResponse,
} from '../../actions/sign-in.server'
import { programCall, publicCall, userCall } from '../api.server'
import { done, signedIn, user } from './answers'
import { SOME_PASSWORD, SOME_PHONE } from './examples'

/** The calls of an account: signing in and out, and its password. */
export const accountCalls = {
  'POST /api/auth/login': publicCall({
    says: 'Signs in, and sets the session cookie',
    body: signInInput,
    answer: signedIn,
    errors: {
      BAD_CREDENTIALS: '',
      ACCOUNT_DISABLED: '',
      CODE_NEEDED: 'with `step`',
      RATE_LIMITED: '',
    },
    example: { username: SOME_PHONE, password: SOME_PASSWORD },
    run: async ({ ctx, body, request }) => {
      const { account, step } = await verifyCredentials(ctx, body)
      return account ? signedInResponse(ctx, account, request) : codeNeeded(step, ctx.requestId)
    },
  }),
  'POST /api/auth/login/code': publicCall({
    says: 'Signs in with the `step` of the refused call and a code or a recovery code',
    body: codeInput,
    answer: signedIn,
    errors: {
      BAD_CREDENTIALS: '',
      ACCOUNT_DISABLED: '',
      RATE_LIMITED: '',
      CONFLICT: 'the step is older than ten minutes',
    },
    example: { step: '…', code: '123456' },
    run: async ({ ctx, body, request }) =>
      signedInResponse(ctx, await finishSignIn(ctx, body), request),
  }),
  'POST /api/auth/register': publicCall({
    says: 'Creates an account, and sets the session cookie',
    body: registerInput,
    status: 201,
    answer: done.extend({ user }),
    errors: { CONFLICT: 'the number has an account', RATE_LIMITED: '' },
    example: { phone: SOME_PHONE, password: SOME_PASSWORD },
    run: async ({ ctx, body, request }) => {
      const account = await register(ctx, body)
      const user = await getUserView(ctx, account.id)
      return json(
        { success: true, user },
        { status: 201, headers: await sessionHeaders(ctx, account, request) },
      )
    },
  }),
  'POST /api/auth/logout': publicCall({
    says: 'Ends the session',
    answer: done,
    run: async ({ context }) => json({ success: true }, { headers: await endVisit(context) }),
  }),
  'GET /api/auth/me': userCall({
    says: 'The signed-in user',
    answer: user,
    run: async ({ ctx }) => getUserView(ctx, ctx.actor.id),
  }),
  'POST /api/codes/redeem': programCall({
    says: 'Redeems a prepaid code for the account; one of another plan is refused first with what becomes of the days left, which `seen` repeats',
    body: redeemInput,
    answer: z.object({ user }),
    errors: {
      NOT_FOUND: 'there is no such code',
      RATE_LIMITED: '',
      CONFLICT: 'it was used, is blocked or has ended, or `seen` is missing',
    },
    example: { code: '7KQ2-M4XD-90TN-WHBX' },
    run: async ({ ctx, body, context: { address } }) => {
      const { code, seen = null } = body
      await redeemCode(ctx, { holder: ctx.actor, address, typed: code, seen })
      return { user: await getUserView(ctx, ctx.actor.id) }
    },
  }),
  'PUT /api/account/device': userCall({
    says: 'Replaces the address at which this browser gets its push notifications',
    body: notificationDeviceForm,
    answer: done,
    errors: { NOT_FOUND: 'this browser gets none', FORBIDDEN: 'not offered' },
    example: { endpoint: 'https://push.example/device', p256dh: '…', auth: '…' },
    run: async ({ ctx, body, context }) => {
      // Visitors of this call have a session: its access is not for programs.
      const sessionId = context.visitor?.sessionId ?? ''
      await renewDevice(ctx, { ...body, sessionId })
      return { success: true }
    },
  }),
  'POST /api/auth/user/change-password': userCall({
    says: 'Changes the password, sets a new cookie and ends all other sessions; needs a code if two-step sign-in is on',
    body: changePasswordInput,
    answer: done,
    errors: { BAD_INPUT: '', RATE_LIMITED: '', CONFLICT: 'changed meanwhile' },
    example: { oldPassword: SOME_PASSWORD, newPassword: 'another long password' },
    run: async ({ ctx, body, request }) => {
      const token = await changePassword(ctx, { ...body, ...(await browserOf(request)) })
      return json({ success: true }, { headers: await sessionCookie(token) })
    },
  }),
}
