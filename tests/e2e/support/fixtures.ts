import path from 'node:path'
import { expect, test as base, type Page, type Response } from '@playwright/test'
import { findViolations } from '../../support/invariants'
import { startInstallation, type Installation, type UserColumns } from '../../support/installation'
import { makeVideos, type MadeVideo } from '../../support/videos'
import { textEnvFor } from '../../simulator/settings'
import { startSimulator } from '../../simulator/simulator'
import { closeService, openService } from './calls'
import { save } from './files'
import { furnishPlatform, furnishUser, type Furnished } from './furnish'
import { attachLogs } from './logs'
import { noteToasts } from './toasts'
import { openBeforeScripts } from './ui'

type TestFixtures = {
  /** Signs the browser in with a new account. Returns the account. */
  signIn: (columns?: Partial<UserColumns>) => Promise<{ userId: string; username: string }>
  /** Signs the browser in with a new account, and opens a page. */
  signInAt: (address: string, columns?: Partial<UserColumns>) => Promise<void>
  /** Does the same, and holds back the page's scripts until the returned function is called. */
  signInBeforeScripts: (
    address: string,
    columns?: Partial<UserColumns>,
  ) => Promise<() => Promise<void>>
  /** The id of a new account with default values. The browser is signed in with it. */
  userId: string
  /** Makes videos of that account. */
  makeOwn: (list: Parameters<typeof makeVideos>[2]) => Promise<MadeVideo[]>
  /** Signs the browser in with a new account, and fills it as `furnishUser` says. */
  furnishUser: () => Promise<Furnished>
  /** Signs the browser in as an administrator, and fills the product as `furnishPlatform` says. */
  furnishPlatform: () => Promise<Pick<Furnished, 'pages' | 'dialogs'>>
  /** Makes every accepted video wait, until `openService` or the end of the test. */
  closeService: () => Promise<void>
  /** Signs the browser in with a new account, and closes the service. */
  signInToWait: (columns?: Partial<UserColumns>) => Promise<void>
  /** Does the same, and opens the Bulk Generator. */
  openBulkToWait: (columns: Partial<UserColumns>) => Promise<void>
  /** Lets the pages read and write the clipboard. */
  allowClipboard: () => Promise<void>
  /** Does what saves a file, whose name must match. Returns a function that reads the file. */
  saved: (name: RegExp, start: () => Promise<void>) => Promise<() => Promise<string>>
  /** True in the project that runs with scripts. */
  withScripts: boolean
  /** Automatic. Attaches the last lines of the product's logs to a test that failed. */
  keepLogs: undefined
  /** Automatic. Fails a test if its page reports an error that `expectPageError` did not declare. */
  watchErrors: undefined
}

export type BrowserOptions = {
  /** Divides the processor speed of the browser. Chromium only. */
  slowdown: number
}

type WorkerFixtures = {
  /**
   * What makes the clips. `simulated`: the provider simulator, whose clips are playable and cost no
   * time of the processor; `preview`: the product's own renderer.
   */
  clips: 'simulated' | 'preview'
  /** Whether the simulator rewrites prompts as well. */
  texts: boolean
  /** Further settings of the product. */
  settings: Readonly<Record<string, string>>
  product: Installation
}

/** As long as a page takes to show a video as being made, if the machine is not busy. */
const GENERATION_MS = 1500

/** Users may ask for notifications. No mail server listens there. */
const NOTIFICATIONS = {
  USER_EMAIL: 'on',
  USER_WEBHOOKS: 'on',
  ALARM_SMTP_URL: 'smtp://127.0.0.1:9',
  WEB_PUSH: 'on',
}

/** Without the time limits of the database: at load they would end a request, and with it the test. */
const PATIENT = ['--import', path.resolve('tests/support/patient-database.mjs')]

/** Each worker has its own product. */
export const test = base.extend<TestFixtures & BrowserOptions, WorkerFixtures>({
  slowdown: [1, { option: true }],
  clips: ['simulated', { option: true, scope: 'worker' }],
  texts: [false, { option: true, scope: 'worker' }],
  settings: [{}, { option: true, scope: 'worker' }],
  product: [
    async ({ clips, texts, settings }, use) => {
      const simulator =
        clips === 'simulated'
          ? await startSimulator({ scenario: { defaults: { generationMs: GENERATION_MS } } })
          : undefined
      const installation = await startInstallation({
        worker: true,
        env: {
          ...simulator?.env('openai'),
          ...(simulator && texts && textEnvFor(simulator)),
          ...NOTIFICATIONS,
          ...settings,
        },
        nodeArgs: PATIENT,
      })
      await use(installation)
      const violations = await findViolations(installation.db)
      await installation.remove()
      await simulator?.stop()
      expect(violations).toEqual({})
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ product }, use) => use(product.url),
  context: async ({ context }, use) => {
    await noteToasts(context)
    await use(context)
  },
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
  signInAt: async ({ page, signIn }, use) =>
    use(async (address, columns) => {
      await signIn(columns)
      await page.goto(address)
    }),
  signInBeforeScripts: async ({ page, signIn }, use) =>
    use(async (address, columns) => {
      await signIn(columns)
      return openBeforeScripts(page, address)
    }),
  userId: async ({ signIn }, use) => use((await signIn()).userId),
  makeOwn: async ({ product, userId }, use) => use((list) => makeVideos(product, userId, list)),
  furnishUser: async ({ page, product, signIn }, use) =>
    use(async () => {
      // The video in the making is a row without files.
      expectPageError('404')
      const { userId } = await signIn({ video_limit: 40, speed_limit: 1, plan: 'Business' })
      return furnishUser(page, product, userId)
    }),
  furnishPlatform: async ({ page, product, signIn }, use) =>
    use(async () => {
      // All Videos also shows those of other tests, some of which are rows without an image.
      expectPageError('404')
      await signIn({ role: 'admin' })
      return furnishPlatform(page, product)
    }),
  closeService: async ({ product }, use) => {
    await use(() => closeService(product))
    await openService(product)
  },
  signInToWait: async ({ signIn, closeService }, use) =>
    use(async (columns) => {
      await signIn(columns)
      await closeService()
    }),
  openBulkToWait: async ({ page, signInToWait }, use) =>
    use(async (columns) => {
      await signInToWait(columns)
      await page.goto('/app?tab=bulk')
    }),
  allowClipboard: async ({ context, browserName }, use) =>
    use(async () => {
      // Firefox has no such permissions. Its configuration has a preference of the same effect.
      if (browserName === 'firefox') return
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    }),
  saved: async ({ page, launchOptions }, use) =>
    use((name, start) => save(page, launchOptions.downloadsPath, { name, start })),
  keepLogs: [
    async ({}, use, info) => {
      await use(undefined)
      if (info.status !== info.expectedStatus) await attachLogs(info)
    },
    { auto: true },
  ],
  // It ends before the logs are kept, because it may fail the test.
  watchErrors: [
    async ({ page, keepLogs: _ }, use) => {
      const problems = watch(page)
      await use(undefined)
      const unexpected = problems.filter(({ text }) => !isExpected(text))
      expect(unexpected.map(({ text, where }) => `${text} (${where})`)).toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

const EXPECTED = 'expected page error'

/**
 * Declares errors of the page that the running test expects, by a part of their text. For an answer that
 * is an error of the server, that text is the status line: `500 Internal Server Error`.
 */
export function expectPageError(...parts: string[]): void {
  const { annotations } = test.info()
  annotations.push(...parts.map((description) => ({ type: EXPECTED, description })))
}

const isExpected = (text: string): boolean =>
  test
    .info()
    .annotations.some(
      ({ type, description }) =>
        type === EXPECTED && description !== undefined && text.includes(description),
    )

/** `where`: the address that it is about, which is no part of what a test declares. */
type Problem = { text: string; where: string }

/** The longest part of an answer that a failed test prints, in characters. */
const ANSWER_LENGTH = 600

/**
 * Collects all errors of a page. Closes the page after an answer 5xx that the test did not declare, so that
 * whatever the test waits for ends with it.
 */
function watch(page: Page): Problem[] {
  const problems: Problem[] = []
  page.on('pageerror', ({ message }) =>
    problems.push({ text: `page error: ${message}`, where: page.url() }),
  )
  page.on('console', (message) => {
    if (message.type() === 'error')
      problems.push({ text: `console: ${message.text()}`, where: message.location().url })
  })
  page.on('response', (response) => {
    if (response.status() < 500) return
    const text = `${response.status()} ${response.statusText()}`
    const problem = { text, where: `${response.request().method()} ${response.url()}` }
    problems.push(problem)
    if (!isExpected(text)) void endWith(page, response, problem)
  })
  return problems
}

async function endWith(page: Page, response: Response, problem: Problem): Promise<void> {
  const answer = await response.text().catch(() => 'no answer could be read')
  problem.where += `: ${answer.slice(0, ANSWER_LENGTH)}`
  await page.close({ reason: `${problem.text}, ${problem.where}` }).catch(() => undefined)
}

/** Skips the running test in Firefox. */
export function chromiumOnly(reason: string): void {
  test.skip(test.info().project.use.browserName === 'firefox', reason)
}
