import type { SubmissionResult } from '@conform-to/react'
import { json, type TypedResponse } from '@remix-run/node'
import { Authenticator } from 'remix-auth'
import { FormStrategy } from 'remix-auth-form'
import type { ZodTypeAny, output } from 'zod'
import { webBoot } from '~/boot/web.server'
import { codeInput, fieldOfCode, signInInput } from '~/domain/accounts/schemas'
import { endedText, noteDevice } from '~/domain/accounts/known-devices.server'
import { endSession, renewSession, startSession } from '~/domain/accounts/sessions.server'
import type { ProvenAccount } from '~/domain/accounts/types'
import { finishSignIn } from '~/domain/accounts/sign-in-step.server'
import { verifyCredentials, type Verified } from '~/domain/accounts/verify-credentials.server'
import type { UserCtx, VisitorCtx } from '~/domain/context'
import { newId } from '~/lib/ids'
import { logAccess } from '~/domain/activity/write.server'
import { AppError, HTTP_STATUS, type ErrorCode, type FieldErrors } from '~/domain/errors'
import { readDevice, readSessionToken, type Toast } from '../session/cookies.server'
import { toAppError } from '../responses/failures.server'
import { parseForm, readForm, textOf } from '../forms/form-data.server'
import type { LoadContext } from '../session/load-context'
import { errorHeaders } from '../responses/respond.server'
import { webCookies } from '../session/toast.server'

const STRATEGY = 'form'

/**
 * What the sign-in page receives after a failure: the username as typed, and the errors. With a
 * `step` the password was correct and the page asks for a code.
 */
export type SignInFailure = {
  toast: Toast | null
  result: SubmissionResult
  step: string | null
}

/** Headers that set the cookies of a new session, and what to say about devices that it has signed out. */
type Started = { headers: Headers; ended: string | undefined }
type SignedIn = Started & { account: ProvenAccount }

/**
 * Signs in with a posted form and continues with `then`. A refused sign-in returns its status, the
 * username as typed and a toast. If the account needs a second factor, returns the `step` for which
 * the page asks for a code.
 */
export async function handleSignIn(
  ctx: VisitorCtx,
  request: Request,
  then: (signedIn: SignedIn) => Promise<TypedResponse<never>>,
): Promise<TypedResponse<SignInFailure>> {
  // The strategy consumes the request's body, so this reads from a copy.
  const typed = await readForm(request.clone())
  const refused = (error: FieldErrors = {}): SubmissionResult => ({
    status: 'error',
    initialValue: { username: textOf(typed, 'username') },
    error,
  })
  try {
    const { account, step } = await authenticateForm(ctx, request)
    if (!account) return json({ toast: null, result: refused(), step }, HTTP_STATUS.CODE_NEEDED)
    return await then({ account, ...(await startVisit(ctx, account, request)) })
  } catch (error) {
    const failure = toAppError(error, ctx.requestId)
    if (failure.status >= 500) throw error
    const { status } = failure
    const wrong = wrongCode(typed, failure)
    const description = wrong ? undefined : failure.message
    const toast = { kind: 'error', title: 'Login failed', description } as const
    // CONFLICT means that the step has expired: sign-in starts again with the password.
    const hasStep = typed.has('step') && failure.code !== 'CONFLICT'
    const step = hasStep ? textOf(typed, 'step') : null
    return json(
      { toast, result: refused(wrong ?? failure.fields), step },
      { status, headers: errorHeaders(failure) },
    )
  }
}

/**
 * Returns the error of a wrong code, at the field that had it. The page says it there; the call may
 * not name a field, because scripts would then send the plain form and use up a second try.
 */
function wrongCode(typed: FormData, { code, message }: AppError): FieldErrors | null {
  if (!typed.has('step') || code !== 'BAD_CREDENTIALS') return null
  return { [fieldOfCode(textOf(typed, 'code'))]: [message] }
}

/**
 * Returns the response of the sign-in call if the password was correct but the account also needs a
 * code. It includes a field error, so that scripts submit the plain form, whose page asks for the
 * code.
 */
export function codeNeeded(step: string, requestId: string): Response {
  const code: ErrorCode = 'CODE_NEEDED'
  const error = 'Type the code of your app'
  const fields = { code: [error] } satisfies FieldErrors
  return json({ error, code, fields, step, requestId }, HTTP_STATUS[code])
}

function authenticateForm(ctx: VisitorCtx, request: Request): Promise<Verified> {
  const authenticator = new Authenticator<Verified>().use(
    new FormStrategy(async ({ form }) => {
      if (form.has('step')) {
        const input = parsedOrRefused(codeInput, form, 'Please enter the code')
        return { account: await finishSignIn(ctx, input), step: null }
      }
      return verifyCredentials(
        ctx,
        parsedOrRefused(signInInput, form, 'Please enter username and password'),
      )
    }),
    STRATEGY,
  )
  return authenticator.authenticate(STRATEGY, request)
}

function parsedOrRefused<Schema extends ZodTypeAny>(
  schema: Schema,
  form: FormData,
  message: string,
): output<Schema> {
  const parsed = parseForm(schema, form)
  if (parsed.ok) return parsed.value
  throw new AppError('BAD_INPUT', message, { fields: parsed.error })
}

/** Returns the response of a call that signed a user in. */
export async function signedInResponse(
  ctx: VisitorCtx,
  account: ProvenAccount,
  request: Request,
): Promise<Response> {
  const { username, role } = account
  const { headers, ended } = await startVisit(ctx, account, request)
  return json({ username, role, ...(ended !== undefined && { notice: ended }) }, { headers })
}

/**
 * Starts a session, which replaces the one that the request presented. The headers set the session cookie and
 * the device cookie.
 */
async function startVisit(
  ctx: VisitorCtx,
  account: ProvenAccount,
  request: Request,
): Promise<Started> {
  const userAgent = request.headers.get('user-agent')
  const presented = await readSessionToken(webCookies(), request.headers.get('cookie') ?? undefined)
  const known = ctx.actor.device
  const device = { id: known?.id ?? newId(), username: account.username }
  const isRecognised = known?.username === account.username
  const { token, ...others } = await ctx.db.transaction(async (tx) => {
    const deviceId = device.id
    const started = await startSession(tx, { account, userAgent, deviceId, presented })
    await noteDevice(tx, { account, device, isRecognised, userAgent })
    return started
  })
  const headers = await sessionCookie(token)
  headers.append('Set-Cookie', await webCookies().device.serialize(device))
  return { headers, ended: endedText(others) }
}

/** The headers of `startVisit`, for a new account. */
export const sessionHeaders = async (...visit: Parameters<typeof startVisit>): Promise<Headers> =>
  (await startVisit(...visit)).headers

/** Returns what is kept of the browser with its session. */
export async function browserOf({ headers }: Request) {
  const device = await readDevice(webCookies(), headers.get('cookie') ?? undefined)
  return { userAgent: headers.get('user-agent'), deviceId: device?.id ?? null }
}

/** Returns headers that set the session cookie. */
export const sessionCookie = async (token: string): Promise<Headers> =>
  new Headers({ 'Set-Cookie': await webCookies().session.serialize(token) })

/**
 * Renews the token of a session whose user has just entered the password again. Returns headers
 * that set the new session cookie.
 */
export async function renewedCookie({ db }: UserCtx, token: string): Promise<Headers> {
  const renewed = await renewSession(db, token)
  return renewed === null ? new Headers() : sessionCookie(renewed)
}

/** Ends the request's session and returns headers that remove its data from the browser. */
export async function endVisit({ visitor }: LoadContext): Promise<Headers> {
  if (visitor) {
    const { db } = webBoot().deps
    await endSession(db, visitor.token)
    await logAccess(db, { action: 'auth.sign-out', user: visitor.account, isUser: true })
  }
  return new Headers({
    'Set-Cookie': await webCookies().session.serialize('', { maxAge: 0 }),
    // Also removes cached signed-in pages and what was typed in them.
    'Clear-Site-Data': '"cache", "storage"',
  })
}
