import { expect, test as base, type Page } from '@playwright/test'
import { findViolations } from '../../support/invariants'
import { startInstallation, type Installation, type UserColumns } from '../../support/installation'

type TestFixtures = {
  /** Signs the browser in with a new account. Returns the account. */
  signIn: (columns?: Partial<UserColumns>) => Promise<{ userId: string; username: string }>
  /** True in the project that runs with scripts. */
  withScripts: boolean
  /** Declares an error of the page that this test expects, by a part of its text. */
  expectPageError: (part: string) => void
}

export type BrowserOptions = {
  /** Divides the processor speed of the browser. Chromium only. */
  slowdown: number
}

type WorkerFixtures = { product: Installation }

/** Each worker has its own product. */
export const test = base.extend<TestFixtures & BrowserOptions, WorkerFixtures>({
  slowdown: [1, { option: true }],
  product: [
    async ({}, use) => {
      const installation = await startInstallation({ worker: true })
      await use(installation)
      const violations = await findViolations(installation.db)
      await installation.remove()
      expect(violations).toEqual({})
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ product }, use) => use(product.url),
  page: async ({ page, slowdown }, use) => {
    if (slowdown > 1) {
      const devtools = await page.context().newCDPSession(page)
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    }
    await use(page)
  },
  withScripts: async ({ javaScriptEnabled }, use) => use(javaScriptEnabled),
  signIn: async ({ product, context }, use) =>
    use(async (columns = {}) => {
      const user = await product.user(columns)
      await context.addCookies(user.cookies().map((cookie) => ({ ...cookie, url: product.url })))
      return { userId: user.userId, username: user.username }
    }),
  // Automatic, so that it applies to tests that do not request it.
  expectPageError: [
    async ({ page }, use) => {
      const expected: string[] = []
      const problems = watch(page)
      await use((part) => expected.push(part))
      const unexpected = problems.filter((text) => !expected.some((part) => text.includes(part)))
      expect(unexpected).toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

/** Collects all errors of a page. */
function watch(page: Page): string[] {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(`page error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 500) problems.push(`${response.status()} ${response.url()}`)
  })
  return problems
}
