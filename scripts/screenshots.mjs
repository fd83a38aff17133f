// `npm run screenshots -- ADDRESS ADMIN_PASSWORD USER USER_PASSWORD`: takes the README's screenshots
// from a running product with demo data (`npm run seed`).
import path from 'node:path'
import { chromium } from 'playwright'
import { findChromium } from './lib/chromium.mjs'
import { root } from './lib/root.mjs'

const [address = '', adminPassword = '', user = '', userPassword = ''] = process.argv.slice(2)
const DESKTOP = { width: 1280, height: 860 }
const PHONE = { width: 375, height: 780 }
const PROMPTS = ['A lantern on a lake at night', 'Rain in a narrow street', 'A kite over a field']

/** @typedef {{ name: string, path: string, size: typeof PHONE, theme: 'light' | 'dark', as?: 'user' | 'admin' }} Shot */
/** @type {Shot[]} */
const SHOTS = [
  { name: 'landing-desktop-light', path: '/', size: DESKTOP, theme: 'light' },
  { name: 'app-desktop-light', path: '/app', size: DESKTOP, theme: 'light', as: 'user' },
  { name: 'app-phone-dark', path: '/app', size: PHONE, theme: 'dark', as: 'user' },
  { name: 'bulk-phone-light', path: '/app?tab=bulk', size: PHONE, theme: 'light', as: 'user' },
  { name: 'usage-phone-light', path: '/usage', size: PHONE, theme: 'light', as: 'user' },
  { name: 'admin-users-desktop-light', path: '/admin', size: DESKTOP, theme: 'light', as: 'admin' },
  {
    name: 'admin-videos-desktop-dark',
    path: '/admin/videos',
    size: DESKTOP,
    theme: 'dark',
    as: 'admin',
  },
]

const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
for (const { name, path: page, size, theme, as } of SHOTS) {
  const context = await browser.newContext({ baseURL: address, viewport: size, colorScheme: theme })
  if (as) {
    const data =
      as === 'admin'
        ? { username: 'admin', password: adminPassword }
        : { username: user, password: userPassword }
    await context.request.post('/api/auth/login', { data })
  }
  const tab = await context.newPage()
  await tab.goto(page)
  if (page.includes('tab=bulk')) await tab.locator('[name=promptLines]').fill(PROMPTS.join('\n'))
  await tab.locator('main').waitFor()
  await tab.waitForLoadState('load')
  const file = path.join(root, 'docs/screenshots', `${name}.jpg`)
  await tab.screenshot({ path: file, type: 'jpeg', quality: 72 })
  await context.close()
}
await browser.close()
