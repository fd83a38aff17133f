import { redirect, type TypedResponse } from '@remix-run/node'
import { webBoot } from '~/boot/web.server'
import { createCookies, type Cookies, type Toast } from './cookies.server'

/** Returns the web process's cookies. */
export function webCookies(): Cookies {
  return createCookies(webBoot().env)
}

/** Redirects after a form. The next page shows the toast once, with or without scripts. */
export async function redirectWithToast(
  to: string,
  toast: Toast,
  headers = new Headers(),
): Promise<TypedResponse<never>> {
  headers.append('Set-Cookie', await webCookies().toast.serialize(toast))
  return redirect(to, { status: 303, headers })
}
