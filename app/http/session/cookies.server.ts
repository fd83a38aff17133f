import { createCookie, type Cookie } from '@remix-run/node'
import { z } from 'zod'
import { SESSION_DAYS } from '~/domain/accounts/sessions.server'
import type { KnownDevice } from '~/domain/context'
import type { Env } from '~/platform/env.server'

export const THEMES = ['light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const toastShape = z.object({
  kind: z.enum(['success', 'error', 'info']),
  title: z.string(),
  description: z.string().optional(),
  undo: z
    .object({ intent: z.string(), on: z.string(), action: z.string(), failed: z.string() })
    .optional(),
  link: z.object({ label: z.string(), to: z.string() }).optional(),
})

/** A message that is shown once, on the page after a redirect. */
export type Toast = z.output<typeof toastShape>

export type Cookies = {
  session: Cookie
  device: Cookie
  invite: Cookie
  toast: Cookie
  credentials: Cookie
  theme: Cookie
  sidebar: Cookie
}

const DAY_SECONDS = 24 * 60 * 60

/**
 * Creates the product's cookies. With https they have the `__Host-` prefix and are never sent
 * unencrypted.
 */
export function createCookies(env: Pick<Env, 'APP_URL' | 'SESSION_SECRET'>): Cookies {
  const secure = env.APP_URL.startsWith('https:')
  const prefix = secure ? '__Host-' : ''
  const shared = { path: '/', sameSite: 'lax', httpOnly: true, secure } as const
  const secrets = env.SESSION_SECRET
  return {
    session: createCookie(`${prefix}session`, {
      ...shared,
      secrets,
      maxAge: SESSION_DAYS * DAY_SECONDS,
    }),
    // Outlives the session. It does not sign anyone in; it prevents other people's wrong passwords
    // from locking the user out.
    device: createCookie(`${prefix}device`, { ...shared, secrets, maxAge: 365 * DAY_SECONDS }),
    // Whose invite link was opened, until an account is made, also by way of other pages.
    invite: createCookie(`${prefix}invite`, { ...shared, maxAge: 30 * DAY_SECONDS }),
    toast: createCookie(`${prefix}toast`, { ...shared, secrets, maxAge: 60 }),
    // Not signed, because its value is encrypted.
    credentials: createCookie(`${prefix}credentials`, { ...shared, maxAge: 120 }),
    theme: createCookie('theme', { ...shared, maxAge: 365 * DAY_SECONDS }),
    // Seven days, as the specification requires. Not httpOnly, because the script that toggles the
    // sidebar uses it.
    sidebar: createCookie('sidebar', { ...shared, httpOnly: false, maxAge: 7 * DAY_SECONDS }),
  }
}

/**
 * Returns the token of the session cookie, or null if the cookie is missing or its signature is
 * invalid.
 */
export async function readSessionToken(
  { session }: Cookies,
  header: string | undefined,
): Promise<string | null> {
  const value: unknown = await session.parse(header ?? null)
  return typeof value === 'string' ? value : null
}

const deviceShape = z.object({ id: z.string(), username: z.string() })

/** Returns the account that was last signed in with this browser, and the browser's id. */
export async function readDevice(
  { device }: Cookies,
  header: string | undefined,
): Promise<KnownDevice | null> {
  const parsed = deviceShape.safeParse(await device.parse(header ?? null))
  return parsed.success ? parsed.data : null
}

/** Returns whose invite link this browser has opened, if any. */
export async function readInvite(
  { invite }: Cookies,
  header: string | undefined,
): Promise<string | null> {
  const value: unknown = await invite.parse(header ?? null)
  return typeof value === 'string' ? value : null
}

/** Returns the theme that the user chose. Null means the system's theme. */
export async function readTheme({ theme }: Cookies, header: string | null): Promise<Theme | null> {
  const value: unknown = await theme.parse(header)
  return THEMES.find((known) => known === value) ?? null
}

/** Returns whether the sidebar is collapsed. */
export async function readSidebarCollapsed(
  { sidebar }: Cookies,
  header: string | null,
): Promise<boolean> {
  return (await sidebar.parse(header)) === 'collapsed'
}

/** Returns the toast that the last redirect set, if any. */
export async function readToast({ toast }: Cookies, header: string | null): Promise<Toast | null> {
  const parsed = toastShape.safeParse(await toast.parse(header))
  return parsed.success ? parsed.data : null
}
