import { json, type TypedResponse } from '@remix-run/node'
import { Authenticator } from 'remix-auth'
import { FormStrategy } from 'remix-auth-form'
import { webBoot } from '~/boot/web.server'
import { signInInput } from '~/domain/accounts/schemas'
import { endSession, startSession } from '~/domain/accounts/sessions.server'
import type { Account } from '~/domain/accounts/types'
import { verifyCredentials } from '~/domain/accounts/verify-credentials.server'
import type { VisitorCtx } from '~/domain/context'
import { newId } from '~/lib/ids'
import { noteAccess } from '~/domain/trail.server'
import { AppError, type FieldErrors } from '~/domain/errors'
import { readSessionToken, type Toast } from './cookies.server'
import { toAppError } from './failures.server'
import { parseForm, readForm } from './form-data.server'
import type { LoadContext } from './load-context'
import { errorHeaders } from './respond.server'
import { webCookies } from './toast.server'

const STRATEGY = 'form'

/** What the sign-in page gets back: what was typed, and what to mend. */
export type SignInFailure = { toast: Toast; fields: FieldErrors; username: string }

type SignedIn = { account: Account; headers: Headers }

/**
 * Signs in with a posted form and continues with `then`; a refusal answers with its status, the
 * username as typed and a toast.
 */
export async function handleSignIn(
  ctx: VisitorCtx,
  request: Request,
  then: (signedIn: SignedIn) => Promise<TypedResponse<never>>,
): Promise<TypedResponse<SignInFailure>> {
  // The strategy reads a copy; what was typed is read from another.
  const typed = await readForm(request.clone())
  try {
    const account = await authenticateForm(ctx, request)
    return await then({ account, headers: await sessionHeaders(ctx, account, request) })
  } catch (error) {
    const failure = toAppError(error, ctx.requestId)
    if (failure.status >= 500) throw error
    const toast = { kind: 'error', title: 'Login failed', description: failure.message } as const
    const { status, fields } = failure
    const username = typed.get('username')
    return json(
      { toast, fields: fields ?? {}, username: typeof username === 'string' ? username : '' },
      { status, headers: errorHeaders(failure) },
    )
  }
}

function authenticateForm(ctx: VisitorCtx, request: Request): Promise<Account> {
  const authenticator = new Authenticator<Account>().use(
    new FormStrategy(async ({ form }) => {
      const parsed = parseForm(signInInput, form)
      if (parsed.ok) return verifyCredentials(ctx, parsed.value)
      const fields = parsed.error
      throw new AppError('BAD_INPUT', 'Please enter username and password', { fields })
    }),
    STRATEGY,
  )
  return authenticator.authenticate(STRATEGY, request)
}

/**
 * Starts a session in place of the one that was presented. Answers the headers that carry its cookie and
 * make the device known.
 */
export async function sessionHeaders(
  ctx: VisitorCtx,
  account: Account,
  request: Request,
): Promise<Headers> {
  const token = await startSession(ctx.db, {
    userId: account.id,
    userAgent: request.headers.get('user-agent'),
    presented: await readSessionToken(webCookies(), request.headers.get('cookie') ?? undefined),
  })
  const headers = await sessionCookie(token)
  const id = ctx.actor.device?.id ?? newId()
  headers.append(
    'Set-Cookie',
    await webCookies().device.serialize({ id, username: account.username }),
  )
  return headers
}

/** The headers that carry a session's token. */
export const sessionCookie = async (token: string): Promise<Headers> =>
  new Headers({ 'Set-Cookie': await webCookies().session.serialize(token) })

/** Ends the request's session and answers the headers that make the browser forget it. */
export async function endVisit({ visitor }: LoadContext): Promise<Headers> {
  if (visitor) {
    const { db } = webBoot().deps
    await endSession(db, visitor.token)
    await noteAccess(db, { action: 'auth.sign-out', user: visitor.account, isUser: true })
  }
  return new Headers({
    'Set-Cookie': await webCookies().session.serialize('', { maxAge: 0 }),
    // What the browser kept of signed-in pages goes too, and what was typed in them.
    'Clear-Site-Data': '"cache", "storage"',
  })
}
