import { redirect, type TypedResponse } from '@remix-run/node'
import { webBoot } from '~/boot/web.server'
import { createCookies, type Cookies, type Toast } from './cookies.server'

/** The web process's cookies. */
export function webCookies(): Cookies {
  return createCookies(webBoot().env)
}

/** Ends a form: the next page shows the message once, with scripts or without. */
export async function redirectWithToast(
  to: string,
  toast: Toast,
  headers = new Headers(),
): Promise<TypedResponse<never>> {
  headers.append('Set-Cookie', await webCookies().toast.serialize(toast))
  return redirect(to, { status: 303, headers })
}
