import { describe, expect, test } from 'vitest'
import { useInstallation } from '../support/shared-installation'

const product = useInstallation()

const DENIED =
  'Access Denied - This page is only accessible to administrators. Redirecting you to your dashboard...'

/** Returns the text of a page, without tags and React's markers. */
const textOf = (html: string) => html.replace(/<!-- -->/g, '').replace(/<[^>]+>/g, ' ')

describe('the administrator area', () => {
  test.each([
    ['user', '/app'],
    ['editor', '/dashboard'],
  ] as const)('U-ROUTE-11: %s sees the reason and is redirected to %s', async (role, home) => {
    const visitor = await product.user({ role })
    for (const path of ['/admin', '/admin/activity']) {
      const response = await visitor.send('GET', path)
      const html = await response.text()
      expect(response.status).toBe(403)
      expect(textOf(html)).toContain(DENIED)
      expect(response.headers.get('refresh')).toBe(`3; url=${home}`)
      expect(html).not.toContain('Total Users')
      const data = await visitor.send('GET', `${path}?_data=routes%2F_admin%2B%2Fadmin._index`)
      expect(await data.text()).not.toContain('admins')
      expect(data.status).toBe(403)
    }
  })

  test('U-LAYOUT-2: the Admin group is in the HTML of administrators only', async () => {
    for (const role of ['admin', 'editor', 'user'] as const) {
      const visitor = await product.user({ role })
      const html = await (await visitor.send('GET', '/app')).text()
      expect(html.includes('User Management')).toBe(role === 'admin')
    }
  })

  test('issue 51.5: of the three groups of an administrator only that of the open page is unfolded', async () => {
    const admin = await product.user({ role: 'admin' })
    for (const [path, unfolded] of [
      ['/app', []],
      ['/usage', []],
      ['/admin/overview', ['Business']],
      ['/admin/payments/unpaid', ['Business']],
      ['/admin', ['Customers']],
      ['/admin/videos/trash', ['Customers']],
      [`/admin/users/${admin.userId}`, ['Customers']],
      ['/admin/users/trash', ['Customers']],
      ['/admin/system/runbook', ['Running']],
      ['/admin/setup', ['Running']],
    ] as const) {
      const html = await (await admin.send('GET', path)).text()
      const menu = /<nav aria-label="Admin"[\s\S]*?<\/nav>/.exec(html)?.[0] ?? ''
      const groups = [...menu.matchAll(/<details([^>]*)><summary[\s\S]*?<\/summary>/g)]
      const titles = groups.map(([group]) => /\w+/.exec(textOf(group))?.[0])
      expect(titles).toEqual(['Business', 'Customers', 'Running'])
      const open = titles.filter((_, index) => groups[index]?.[1]?.includes('open'))
      expect([path, open]).toEqual([path, unfolded])
    }
  })
})
