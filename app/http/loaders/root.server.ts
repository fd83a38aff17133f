import { json, type LoaderFunctionArgs } from '@remix-run/node'
import { webBoot } from '~/boot/web.server'
import { PREVIEW_MODEL } from '~/domain/videos/rules'
import { canContinue } from '~/domain/videos/requests/last-picture.server'
import { MANIFEST } from '~/lib/manifest-path'
import { THEME_COLOURS } from '~/lib/theme-colours'
import { formToken } from '../forms/form-token.server'
import { readTheme, readToast, THEMES, type Theme } from '../session/cookies.server'
import { webCookies } from '../session/toast.server'

/**
 * Returns elements of the head of every page: its icon, what an installed app is made of, and the colour
 * of the browser's bars. They are no part of the scripts.
 */
const headOf = (theme: Theme | null): ['link' | 'meta', Record<string, string>][] => [
  ['link', { rel: 'icon', href: '/logo.png', type: 'image/png' }],
  ['link', { rel: 'manifest', href: MANIFEST }],
  ['link', { rel: 'apple-touch-icon', href: '/icon-touch-180.png' }],
  ...THEMES.map((name): ['meta', Record<string, string>] => [
    'meta',
    {
      name: 'theme-color',
      media: `(prefers-color-scheme: ${name})`,
      content: THEME_COLOURS[theme ?? name],
    },
  ]),
]

/** Returns what every page needs. The toast is shown once, so its cookie is removed. */
export async function loadRoot({ request, context }: LoaderFunctionArgs) {
  const { deps } = webBoot()
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
      head: headOf(theme),
      formToken: visitor ? formToken(visitor.sessionId) : null,
      // Whether users can be told when a batch is done.
      tells: Object.values(deps.settings.notifications).includes(true),
      // Whether a new video can begin where a clip ends.
      continues: canContinue(deps),
      // Whether new clips show their prompt in the picture.
      drawsPreviews: deps.provider.model === PREVIEW_MODEL,
      // Whether forms that ask for the password ask for a code as well.
      asksForCode: visitor?.hasSecondFactor ?? false,
      toast,
    },
    { headers },
  )
}
