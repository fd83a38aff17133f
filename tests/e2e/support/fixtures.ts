import { expect, test as base, type Page } from '@playwright/test'
import { findViolations } from '../../support/invariants'
import { startInstallation, type Installation, type UserColumns } from '../../support/installation'

type TestFixtures = {
  /** Signs the browser in with a new account and answers who it is. */
  signIn: (columns?: Partial<UserColumns>) => Promise<{ userId: string; username: string }>
  /** True in the project that runs with scripts. */
  withScripts: boolean
  /** Errors of the page that this test expects, by a part of their text. */
  expectPageError: (part: string) => void
}

type WorkerFixtures = { product: Installation }

/** Every spec runs against a whole product of its own, with scripts and without. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
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
  withScripts: async ({ javaScriptEnabled }, use) => use(javaScriptEnabled),
  signIn: async ({ product, context }, use) =>
    use(async (columns = {}) => {
      const user = await product.user(columns)
      await context.addCookies(user.cookies().map((cookie) => ({ ...cookie, url: product.url })))
      return { userId: user.userId, username: user.username }
    }),
  // Automatic: a test need not ask for it to be held to it.
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

/** Everything that a page complains about. */
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
