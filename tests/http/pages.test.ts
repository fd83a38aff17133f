import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { DEFAULT_PLANS } from '../../app/domain/plans/catalogue'
import { figure } from '../../app/lib/figures'
import { SAMPLES, webpPath } from '../../app/lib/samples'
import { textOf } from '../support/html'
import { useInstallation } from '../support/shared-installation'
import { makeVideos } from '../support/videos'

const PLAN_LIST = Object.values(DEFAULT_PLANS)

const product = useInstallation({
  env: {
    CONTACT_CHAT_NUMBER: '+92 300 1112223',
    PAYMENT_BANK_ACCOUNT: 'PK36SCBL0000001123456702',
  },
})

const html = async (path: string, client = product.client()) => {
  const response = await client.send('GET', path)
  return { status: response.status, text: await response.text() }
}
const location = async (path: string, client = product.client()) =>
  (await client.send('GET', path)).headers.get('location')
/** Returns the messages of the chat links, in the order of the page. */
const chats = (text: string) =>
  [...text.matchAll(/href="https:\/\/wa\.me\/923001112223\?text=([^"]+)"/g)].map(([, message]) =>
    decodeURIComponent(message ?? ''),
  )

describe('public pages', () => {
  test.each([
    ['U-ROUTE-1', '/', 'AI Powered Bulk Video Generation'],
    ['U-ROUTE-2', '/login', 'Sign In'],
    ['U-ROUTE-3', '/register', 'Create Account'],
    ['U-ROUTE-4', '/pricing', 'Business'],
    ['U-ROUTE-5', '/refund-policy', 'Refund Policy'],
  ])('%s: visitors can open %s, a small page without React', async (_row, path, words) => {
    const { status, text } = await html(path)
    expect(status).toBe(200)
    expect(text).toContain(words)
    const scripts = [...text.matchAll(/<script[^>]*src="([^"]+)"/g)].map(([, src]) => src)
    expect(scripts).toEqual(['/enhance.js'])
    expect(text).not.toContain('modulepreload')
    expect(gzipSync(text).length).toBeLessThan(10 * 1024)
  })

  test('a file of another build is a 404 and logs no error', async () => {
    for (const path of ['/build/manifest-OLDBUILD.js', '/build/..%2f..%2fpackage.json']) {
      const response = await product.client().send('GET', path)
      expect(response.status).toBe(404)
    }
    expect(product.web.output()).not.toContain('ENOENT')
  })

  test.each(['/logo.png', ...SAMPLES.map(({ imagePath }) => imagePath)])(
    'U-ROUTE-12: %s is a small image',
    async (path) => {
      const response = await product.client().send('GET', path)
      expect(response.headers.get('content-type')).toBe('image/png')
      expect((await response.arrayBuffer()).byteLength).toBeLessThanOrEqual(40 * 1024)
    },
  )

  test('the product can be installed: a name, icons that exist, and where it begins', async () => {
    const { text } = await html('/login')
    expect(text).toContain('<link rel="manifest" href="/manifest.webmanifest"/>')
    const read = await product.client().send('GET', '/manifest.webmanifest')
    expect(read.headers.get('content-type')).toContain('application/manifest+json')
    const { icons, ...rest } = (await read.json()) as { icons: { src: string; purpose: string }[] }
    expect(rest).toMatchObject({ name: 'Reelmill', start_url: '/app', display: 'standalone' })
    expect(icons.map(({ purpose }) => purpose)).toContain('maskable')
    for (const { src } of icons) {
      const icon = await product.client().send('GET', src)
      expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/png'])
    }
    const worker = await html('/service-worker.js')
    expect(worker.status).toBe(200)
    expect(worker.text).toContain('Reelmill cannot be reached')
  })

  test('the landing page has at most 95 kB including its images', async () => {
    const { text } = await html('/')
    const read = async (path: string) => {
      const response = await product.client().send('GET', path)
      expect(response.status, path).toBe(200)
      const body = Buffer.from(await response.arrayBuffer())
      return { type: response.headers.get('content-type'), body }
    }
    let bytes = gzipSync(text).length + (await read('/logo.png')).body.length
    for (const sample of SAMPLES) {
      const picture = await read(webpPath(sample))
      expect(picture.type).toBe('image/webp')
      bytes += picture.body.length
      // Browsers without WebP get the PNG. Nothing else on the page names a PNG.
      expect(text.split(`srcSet="${webpPath(sample)}"`)).toHaveLength(12 + 1)
      expect(text).not.toContain(`url(${sample.imagePath})`)
    }
    const style = /href="(\/build\/_assets\/[^"]+\.css)"/.exec(text)?.[1] ?? ''
    for (const path of [style, '/enhance.js']) bytes += gzipSync((await read(path)).body).length
    expect(bytes).toBeLessThan(95_000)
  })

  test('U-LAND-3: eight samples, each with title and image; twelve copies in the track', async () => {
    const { text } = await html('/')
    expect(new Set(SAMPLES.map(({ title }) => title)).size).toBe(8)
    for (const { title, imagePath, prompt } of SAMPLES) {
      expect(text).toContain(`alt="${prompt}"`)
      expect(text).toContain(`>${title}<`)
      expect(text.split(`src="${imagePath}"`)).toHaveLength(12 + 1)
    }
  })

  test('U-PRICE-5: the four plans with their figures; U-PRICE-6: Buy Now names the plan', async () => {
    const { text } = await html('/pricing')
    const orders = chats(text).filter((message) => message.includes('videos per day'))
    expect(orders).toHaveLength(4)
    for (const [index, plan] of PLAN_LIST.entries()) {
      const { name, videosPerDay, rupees, dollars, pace, support } = plan
      expect(text).toContain(`${figure(videosPerDay)} videos per day`)
      expect(text).toContain(`Delay: ${pace.delaySeconds} seconds between rounds`)
      expect(text).toContain(`${support} support`)
      expect(text).toContain(`>${figure(rupees)}<`)
      expect(orders[index]).toContain(`${name} plan: ${figure(videosPerDay)} videos per day`)
      expect(orders[index]).toContain(`${figure(rupees)} rupees ($${dollars})`)
    }
  })

  test('U-PRICE-7, U-PRICE-8: the badges of the cards, and the link to a custom plan', async () => {
    const { text } = await html('/pricing')
    const cardOf = (name: string) =>
      new RegExp(`<article aria-label="${name}"[\\s\\S]*?</article>`).exec(text)?.[0] ?? ''
    const holding = (words: string) =>
      PLAN_LIST.map(({ name }) => name).filter((name) => cardOf(name).includes(words))
    expect(holding('Popular')).toEqual(['Business'])
    expect(holding('</svg>Bulk Generation<')).toEqual(['Business'])
    expect(holding('</svg>Unlimited Bulk Generation<')).toEqual(['Enterprise'])
    const support = PLAN_LIST.map(({ name }) => /(\S+) support</.exec(cardOf(name))?.[1])
    expect(support.map((word) => word?.replace(/^.*>/, ''))).toEqual([
      '24/7',
      'Priority',
      'VIP',
      'Dedicated',
    ])
    const button = /<a href="([^"]*)"[^>]*>Contact us for a custom plan</.exec(text)?.[1]
    expect(button).toMatch(/^https:\/\/wa\.me\/923001112223\?text=.*custom/)
  })

  test('U-PRICE-2, U-PRICE-4: the three accounts are in the page, open if the address says so', async () => {
    const closed = (await html('/pricing')).text
    const open = (await html('/pricing?dialog=account-details')).text
    expect(closed).toContain('PK36SCBL0000001123456702')
    expect(closed).not.toMatch(/<dialog[^>]* open/)
    expect(open).toMatch(/<dialog[^>]* open/)
    expect(open).toContain('After payment, contact us on the chat app with proof of payment')
  })

  test('U-REFUND-1: each plan has its terms; U-REFUND-2: five to seven business days', async () => {
    const { text } = await html('/refund-policy')
    expect(text.split('No refund')).toHaveLength(3)
    for (const words of [
      '50% refund within 7 days',
      '50% refund or replacement with a desktop tool within 10 days',
      'Refunds are processed in 5-7 business days',
    ])
      expect(text).toContain(words)
  })

  test('U-LOGIN-4: pricing, social page, chat with a message, e-mail', async () => {
    const { text } = await html('/login')
    for (const href of ['/pricing', 'https://example.com', 'mailto:hello@example.com'])
      expect(text).toContain(`href="${href}`)
    expect(chats(text)).toEqual(['Hello, I would like to buy a Reelmill plan.'])
  })
})

describe('what is free and who asks', () => {
  test('C8: the landing page and the form of registration say what a new account may make', async () => {
    for (const path of ['/', '/register'])
      expect(textOf((await html(path)).text)).toContain(
        'A new account gets 3 free videos a day for 3 days.',
      )
    const client = await product.user()
    expect((await html('/', client)).text).not.toContain('A new account')
  })

  test('C12: the order in the chat names the account of a customer who is signed in', async () => {
    const client = await product.user()
    for (const order of chats((await html('/pricing', client)).text).slice(0, 4))
      expect(order).toMatch(new RegExp(`per month\\. My account is ${client.username}\\.$`))
    expect((await html('/pricing')).text).not.toContain('My account')
  })
})

describe('where users are led', () => {
  test.each([
    ['admin', '/admin/overview', '/admin/overview'],
    ['editor', '/app', '/'],
    ['user', '/app', '/'],
  ] as const)(
    'U-LOGIN-5, U-REG-4: a signed-in %s on /login goes to %s, on /register to %s',
    async (role, fromLogin, fromRegister) => {
      const client = await product.user({ role })
      expect(await location('/login', client)).toBe(fromLogin)
      expect(await location('/register', client)).toBe(fromRegister)
    },
  )

  test.each([
    ['admin', '/admin/overview'],
    ['editor', '/app'],
    ['user', '/app'],
  ] as const)('U-LOGIN-6, issue 51.11: %s signs in and lands on %s', async (role, home) => {
    const { username } = await product.user({ role })
    const signIn = { intent: 'sign-in', username, password: 'secret-1' }
    const response = await product.client().submit('/login', signIn)
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe(home)
    const asked = await product.client().submit('/login?redirectTo=/dashboard', signIn)
    expect(asked.headers.get('location')).toBe('/dashboard')
  })

  test.each(['/app', '/dashboard', '/admin', '/account/password'])(
    'U-ROUTE-10, U-ROUTE-13: a visitor of %s is sent to sign in and sees nothing of the page',
    async (path) => {
      expect(await location(path)).toMatch(/^\/login(\?redirectTo=|$)/)
      const { text } = await html(path)
      expect(text).not.toContain('<')
      // The data requests of the page's scripts reveal nothing either.
      for (const route of ['routes/_user+/_layout', 'routes/_user+/app', 'root']) {
        const data = await html(`${path}?_data=${encodeURIComponent(route)}`)
        expect([data.status, data.text]).toEqual([204, ''])
      }
    },
  )

  test.each(['user', 'editor', 'admin'] as const)(
    'U-ROUTE-6, U-ROUTE-7, U-ACCT-1: %s opens the create screen and My Videos beside the sidebar, which names the user',
    async (role) => {
      const client = await product.user({ role })
      await makeVideos(product, client.userId, [{}])
      for (const [path, title] of [
        ['/app', 'Create Videos with AI'],
        ['/dashboard', 'My Videos'],
      ] as const) {
        const { status, text } = await html(path, client)
        expect(status).toBe(200)
        expect(/<h1[^>]*>([^<]*)</.exec(text)?.[1]).toBe(title)
        expect(text).toContain('<aside aria-label="Sidebar"')
        const toggle = /<form[^>]*action="\/resources\/sidebar"[\s\S]*?<\/form>/.exec(text)?.[0]
        expect(toggle).toContain(`name="returnTo" value="${path}"`)
        const card = /<section aria-label="Account Info"[\s\S]*?<\/section>/.exec(text)?.[0] ?? ''
        expect(card).toContain(`>${client.username}<`)
        const badge = { user: 'User', editor: 'Editor', admin: 'Admin' }[role]
        expect(card).toMatch(new RegExp(`<span class="[^"]*">${badge}</span>`))
        const isSummary = path === '/dashboard' && role === 'admin'
        expect(text.includes('aria-label="Platform"')).toBe(isSummary)
      }
    },
  )

  test('U-ROUTE-8: only administrators can open the administrator pages', async () => {
    const admin = await product.user({ role: 'admin' })
    const others = [await product.user(), await product.user({ role: 'editor' })]
    for (const path of ['/admin', '/admin/videos', '/admin/prompts']) {
      expect((await html(path, admin)).status).toBe(200)
      for (const other of others) {
        const { status, text } = await html(path, other)
        expect(status).toBe(403)
        expect(text).toContain('Access Denied')
        expect(text).not.toContain('<aside aria-label="Sidebar"')
      }
    }
  })

  test.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'signing in never leads to another site: %s',
    async (wanted) => {
      const { username } = await product.user()
      const response = await product
        .client()
        .submit(`/login?redirectTo=${encodeURIComponent(wanted)}`, {
          intent: 'sign-in',
          username,
          password: 'secret-1',
        })
      expect(response.headers.get('location')).toBe('/app')
    },
  )

  test('U-LAYOUT-2: the Admin group is in the HTML of administrators only', async () => {
    for (const role of ['user', 'editor'] as const) {
      expect((await html('/app', await product.user({ role }))).text).not.toContain('/admin')
    }
    expect((await html('/app', await product.user({ role: 'admin' }))).text).toContain('/admin')
  })
})

describe('the counters', () => {
  test('U-CNT-1: seven completed, two pending, one generating, three failed: 13, 7, 3, 3', async () => {
    const user = await product.user()
    const of = (status: 'completed' | 'pending' | 'generating' | 'error', n: number) =>
      Array.from({ length: n }, () => ({ status }))
    await makeVideos(product, user.userId, [
      ...of('completed', 7),
      ...of('pending', 2),
      ...of('generating', 1),
      ...of('error', 3),
    ])
    for (const path of ['/app', '/dashboard']) {
      const { text } = await html(path, user)
      const counters = [...text.matchAll(/<dt[^>]*>([^<]*)<\/dt><dd[^>]*>([^<]*)<\/dd>/g)]
        .map(([, name, value]) => `${name} ${value}`)
        .filter((pair) => /^(Total Videos|Completed|In Progress|Failed) /.test(pair))
      expect(counters).toEqual(['Total Videos 13', 'Completed 7', 'In Progress 3', 'Failed 3'])
    }
  })
})

describe('the account card', () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
  test.each([
    ['U-ACCT-2', inDays(-2), 'Expired', 'bg-bad'],
    ['U-ACCT-3', inDays(6.2), '7d', 'text-warn'],
    ['U-CONST-3', inDays(6.999), '7d', 'text-warn'],
    ['U-CONST-3', inDays(7.01), '8d', 'bg-sunken'],
    ['U-ACCT-4', inDays(8.5), '9d', 'bg-sunken'],
    ['U-ACCT-5', null, 'No expiry', 'bg-sunken'],
  ] as const)('%s: an account until %s shows %s', async (_row, expiry_date, badge, tone) => {
    const { text } = await html('/app', await product.user({ expiry_date }))
    const found = new RegExp(`<span class="([^"]*)">${badge}</span>`).exec(text)
    expect(found?.[1]).toContain(tone)
  })

  test('U-ACCT-6: used today of the limit, and this month of the limit times its days', async () => {
    const user = await product.user({ video_limit: 20 })
    await user.post('/api/videos/generate', { prompt: 'a' })
    const now = new Date()
    const days = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0)).getUTCDate()
    const { text } = await html('/app', user)
    expect(text).toContain('>1/20<')
    expect(text).toContain(`>1/${20 * days}<`)
    await product.db.query('delete from line_entries where user_id = $1', [user.userId])
  })

  test('U-ACCT-6: thousands have separators, on the account card and the quota card', async () => {
    const user = await product.user({ video_limit: 1500 })
    const { text } = await html('/app', user)
    expect(text).toContain('>0/1,500<')
    expect(textOf(text)).toContain('0 of 1,500 videos used today')
    expect(textOf(text)).toContain('1,500 videos remaining today')
  })

  test('U-ACCT-6: pages and messages have the separators of the user’s language', async () => {
    const user = await product.user({ video_limit: 1500 })
    const german = { 'accept-language': 'de-DE,de;q=0.9,en;q=0.8' }
    const page = await user.send('GET', '/app', { headers: german })
    expect(page.headers.get('vary')).toContain('Accept-Language')
    expect(textOf(await page.text())).toContain('0 of 1.500 videos used today')
    const prompt = 'a'.repeat(10_001)
    const { body } = await user.call('POST', '/api/videos/generate', { prompt }, german)
    expect(JSON.stringify(body)).toContain('Prompt can have at most 10.000 characters')
  })
})

test('issue 51.6: the first that a new account reads is no renewal; after a week it is told', async () => {
  const user = await product.user({
    plan: 'Starter',
    expiry_date: new Date(Date.now() + 2.5 * 86_400_000),
  })
  const told = async () => (await html('/app', user)).text.includes('Renew or upgrade')
  expect(await told()).toBe(false)
  await product.db.query(
    `update users set created_at = created_at - interval '8 days' where id = $1`,
    [user.userId],
  )
  expect(await told()).toBe(true)
})
