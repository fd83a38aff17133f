import { createCookie } from '@remix-run/node'
import { z } from 'zod'
import { webBoot } from '~/boot/web.server'
import type { AdminCtx } from '~/domain/context'
import { paths } from '~/lib/paths'

const shape = z.object({
  kind: z.enum(['created', 'quick', 'password', 'link']),
  username: z.string(),
  /** Null where the user sets one by a link. */
  password: z.string().nullable(),
  passwordLink: z.string().nullable().default(null),
  phone: z.string(),
  role: z.string(),
  plan: z.string(),
  expiryDate: z.string().nullable(),
  bearerToken: z.string().nullable(),
})
/** What an administrator is shown once, to hand on. */
export type Credentials = z.input<typeof shape>
export type ShownCredentials = z.output<typeof shape> & { signInUrl: string }

const LIVES_SECONDS = 120
/** A cookie holds four kilobytes; who pasted a longer token has it already. */
const LONGEST_TOKEN = 1000

const cookie = () => {
  const secure = webBoot().env.APP_URL.startsWith('https:')
  const name = secure ? '__Host-credentials' : 'credentials'
  return createCookie(name, {
    ...{ path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: LIVES_SECONDS },
  })
}

/** A path of ours as the whole address that somebody else can open. */
export const addressOf = (path: string): string => new URL(path, webBoot().env.APP_URL).href

const sealedFor = ({ actor }: AdminCtx) => `credentials:${actor.id}`

/**
 * Hands credentials to the page behind a redirect: encrypted, for this administrator, for two
 * minutes, in the same browser. They are stored nowhere else.
 */
export async function handOnce(ctx: AdminCtx, credentials: Credentials): Promise<Headers> {
  const { bearerToken } = credentials
  const short = bearerToken !== null && bearerToken.length > LONGEST_TOKEN ? null : bearerToken
  const text = JSON.stringify({ ...credentials, bearerToken: short })
  const sealed = ctx.vault.seal(sealedFor(ctx), text).toString('base64url')
  return new Headers({ 'Set-Cookie': await cookie().serialize(sealed) })
}

/** The credentials that were handed on, and the headers that make this the only time. */
export async function takeOnce(
  ctx: AdminCtx,
  request: Request,
): Promise<{ credentials: ShownCredentials | null; headers: Headers }> {
  const sealed: unknown = await cookie().parse(request.headers.get('cookie'))
  const headers = new Headers()
  if (typeof sealed !== 'string') return { credentials: null, headers }
  headers.append('Set-Cookie', await cookie().serialize('', { maxAge: 0 }))
  headers.set('Cache-Control', 'no-store')
  const signInUrl = addressOf(paths.login)
  try {
    const opened: unknown = JSON.parse(
      ctx.vault.open(sealedFor(ctx), Buffer.from(sealed, 'base64url')),
    )
    const parsed = shape.safeParse(opened)
    return { credentials: parsed.success ? { ...parsed.data, signInUrl } : null, headers }
  } catch {
    // Sealed for somebody else, or with a key that is gone: there is nothing to show.
    return { credentials: null, headers }
  }
}
