import { createCookie } from '@remix-run/node'
import { z } from 'zod'
import { webBoot } from '~/boot/web.server'
import type { AdminCtx } from '~/domain/context'
import { paths } from '~/lib/paths'

const shape = z.object({
  kind: z.enum(['created', 'quick', 'password', 'link']),
  username: z.string(),
  /** Null if the user sets the password by a link. */
  password: z.string().nullable(),
  passwordLink: z.string().nullable().default(null),
  phone: z.string(),
  role: z.string(),
  plan: z.string(),
  expiryDate: z.string().nullable(),
  bearerToken: z.string().nullable(),
})
/** Credentials that an administrator sees once, to pass on to the user. */
export type Credentials = z.input<typeof shape>
export type ShownCredentials = z.output<typeof shape> & { signInUrl: string }

const LIVES_SECONDS = 120
/** A cookie can store about 4 kB. An administrator who pasted a longer token still has it. */
const LONGEST_TOKEN = 1000

const cookie = () => {
  const secure = webBoot().env.APP_URL.startsWith('https:')
  const name = secure ? '__Host-credentials' : 'credentials'
  return createCookie(name, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: LIVES_SECONDS,
  })
}

/** Returns the absolute URL of a path of the product, for other people to open. */
export const addressOf = (path: string): string => new URL(path, webBoot().env.APP_URL).href

const sealedFor = ({ actor }: AdminCtx) => `credentials:${actor.id}`

/**
 * Passes credentials to the page after a redirect, in a cookie of the same browser: encrypted, only
 * for this administrator, valid for two minutes. They are stored nowhere else.
 */
export async function handOnce(ctx: AdminCtx, credentials: Credentials): Promise<Headers> {
  const { bearerToken } = credentials
  const short = bearerToken !== null && bearerToken.length > LONGEST_TOKEN ? null : bearerToken
  const text = JSON.stringify({ ...credentials, bearerToken: short })
  const sealed = ctx.vault.seal(sealedFor(ctx), text).toString('base64url')
  return new Headers({ 'Set-Cookie': await cookie().serialize(sealed) })
}

/**
 * Returns the credentials from the cookie, and headers that delete it, so that they are shown only
 * once.
 */
export async function takeOnce(
  ctx: AdminCtx,
  request: Request,
): Promise<{ credentials: ShownCredentials | null; headers: Headers }> {
  const sealed: unknown = await cookie().parse(request.headers.get('cookie'))
  const headers = new Headers()
  if (typeof sealed !== 'string') return { credentials: null, headers }
  headers.append('Set-Cookie', await cookie().serialize('', { maxAge: 0 }))
  const signInUrl = addressOf(paths.login)
  try {
    const opened: unknown = JSON.parse(
      ctx.vault.open(sealedFor(ctx), Buffer.from(sealed, 'base64url')),
    )
    const parsed = shape.safeParse(opened)
    return { credentials: parsed.success ? { ...parsed.data, signInUrl } : null, headers }
  } catch {
    // Encrypted for another administrator, or with a key that no longer exists.
    return { credentials: null, headers }
  }
}
