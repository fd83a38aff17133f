import { json, type LoaderFunctionArgs } from '@remix-run/node'
import { webBoot } from '~/boot/web.server'
import { formToken } from '../forms/form-token.server'
import { readTheme, readToast } from '../session/cookies.server'
import { webCookies } from '../session/toast.server'

/** Returns what every page needs. The toast is shown once, so its cookie is removed. */
export async function loadRoot({ request, context }: LoaderFunctionArgs) {
  const cookies = webCookies()
  const header = request.headers.get('cookie')
  const toast = await readToast(cookies, header)
  const headers = new Headers()
  if (toast) headers.append('Set-Cookie', await cookies.toast.serialize('', { maxAge: 0 }))
  const { visitor } = context
  return json(
    {
      product: webBoot().env.PRODUCT_NAME,
      timeZone: webBoot().env.PLATFORM_TIMEZONE,
      theme: await readTheme(cookies, header),
      formToken: visitor ? formToken(visitor.sessionId) : null,
      toast,
    },
    { headers },
  )
}
