import { z } from 'zod'
import { webBoot } from '~/boot/web.server'
import { getChatTexts } from '~/domain/business/settings.server'
import type { ChatLanguage } from '~/domain/business/types'
import type { AdminCtx, HelperCtx } from '~/domain/context'
import { paths } from '~/lib/paths'
import { sealed } from '~/platform/secrets/sealed'
import { webCookies } from './toast.server'

const shape = z.object({
  kind: z.enum(['created', 'quick', 'password', 'link', 'renewed']),
  username: z.string(),
  /** Null if the user sets the password by a link. */
  password: z.string().nullable(),
  passwordLink: z.string().nullable().default(null),
  /** For the message: a link with which the user replaces the password. */
  ownPasswordLink: z.string().nullable().default(null),
  /** Whether the number is not complete, so that a chat could be with somebody else. */
  isPhoneDoubtful: z.boolean().default(false),
  phone: z.string(),
  role: z.string(),
  plan: z.string(),
  expiryDate: z.string().nullable(),
  bearerToken: z.string().nullable(),
})
/** Credentials that an administrator sees once, to pass on to the user. */
export type Credentials = z.input<typeof shape>
export type ShownCredentials = z.output<typeof shape> & {
  signInUrl: string
  /** The texts to send with them. */
  chatTexts: readonly ChatLanguage[]
}

/** A cookie can store about 4 kB. An administrator who pasted a longer token still has it. */
const LONGEST_TOKEN = 1000

/** Returns the absolute URL of a path of the product, for other people to open. */
export const addressOf = (path: string): string => new URL(path, webBoot().env.APP_URL).href

/** Readable only for this administrator or helper. */
const sealedFor = ({ vault, actor }: HelperCtx | AdminCtx) =>
  sealed(vault, `credentials:${actor.id}`, shape)

/**
 * Passes credentials to the page after a redirect, in a cookie of the same browser: encrypted, only
 * for this administrator, valid for two minutes. They are stored nowhere else.
 */
export async function handOnce(ctx: AdminCtx, credentials: Credentials): Promise<Headers> {
  const { bearerToken } = credentials
  const short = bearerToken !== null && bearerToken.length > LONGEST_TOKEN ? null : bearerToken
  const value = sealedFor(ctx).make({ ...credentials, bearerToken: short })
  return new Headers({ 'Set-Cookie': await webCookies().credentials.serialize(value) })
}

/**
 * Returns the credentials from the cookie, and headers that delete it, so that they are shown only
 * once.
 */
export async function takeOnce(
  ctx: HelperCtx | AdminCtx,
  request: Request,
): Promise<{ credentials: ShownCredentials | null; headers: Headers }> {
  const cookie = webCookies().credentials
  const value: unknown = await cookie.parse(request.headers.get('cookie'))
  const headers = new Headers()
  if (typeof value !== 'string') return { credentials: null, headers }
  headers.append('Set-Cookie', await cookie.serialize('', { maxAge: 0 }))
  const credentials = sealedFor(ctx).read(value)
  if (credentials === null) return { credentials, headers }
  const chatTexts = await getChatTexts(ctx)
  return { credentials: { ...credentials, signInUrl: addressOf(paths.login), chatTexts }, headers }
}
