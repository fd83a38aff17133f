import { json, type LoaderFunctionArgs } from '@remix-run/node'
import { webBoot } from '~/boot/web.server'
import { THEME_COLOURS } from '~/lib/theme-colours'
import { formToken } from '../forms/form-token.server'
import { readTheme, readToast, THEMES } from '../session/cookies.server'
import { webCookies } from '../session/toast.server'

/** Returns what every page needs. The toast is shown once, so its cookie is removed. */
export async function loadRoot({ request, context }: LoaderFunctionArgs) {
  const cookies = webCookies()
  const header = request.headers.get('cookie')
  const toast = await readToast(cookies, header)
  const headers = new Headers()
  if (toast) headers.append('Set-Cookie', await cookies.toast.serialize('', { maxAge: 0 }))
  const { visitor } = context
  const theme = await readTheme(cookies, header)
  return json(
    {
      product: webBoot().env.PRODUCT_NAME,
      timeZone: webBoot().env.PLATFORM_TIMEZONE,
      theme,
      bars: THEMES.map((name) => ({
        name: 'theme-color',
        media: `(prefers-color-scheme: ${name})`,
        content: THEME_COLOURS[theme ?? name],
      })),
      formToken: visitor ? formToken(visitor.sessionId) : null,
      toast,
    },
    { headers },
  )
}
