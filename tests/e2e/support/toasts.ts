import { expect, type BrowserContext, type Page } from '@playwright/test'

// A toast is shown for five seconds. On a busy machine a test may look later, so pages note what their
// toasts say, and a toast that has come and gone counts.

const MARK = 'toast: '

/** What toasts have said and no test has waited for yet, in order. */
const unread = new WeakMap<Page, string[]>()
const noted = new WeakSet<BrowserContext>()

/** Runs in the page: writes each text of a new toast to the console, after the mark. */
function watchToasts(mark: string): void {
  const shown = () => [...document.querySelectorAll('.toast-place > li, [data-toast]')]
  const textsOf = (toast: Element) =>
    [...toast.querySelectorAll('p')].map((line) => line.textContent.replace(/\s+/g, ' ').trim())
  let before = new Map<Element, string[]>()
  // Plain toasts, of the server's page or of a part that was still loading, until scripts show the same
  // toast in an element of their own, which may be a moment later.
  const plain: string[] = []
  new MutationObserver(() => {
    const now = new Map(shown().map((toast) => [toast, textsOf(toast)] as const))
    for (const [toast, texts] of before)
      if (!now.has(toast) && toast.matches('[data-toast]:not([data-toast=stays])'))
        plain.push(texts.join())
    for (const [toast, texts] of now) {
      const isTaken = !before.has(toast) && plain.includes(texts.join())
      if (isTaken) plain.splice(plain.indexOf(texts.join()), 1)
      const known = isTaken ? texts : (before.get(toast) ?? [])
      for (const text of texts) if (!known.includes(text)) console.debug(mark + text)
    }
    before = now
  }).observe(document, { childList: true, subtree: true, characterData: true })
}

/** Notes the toasts of all pages that are opened in a context from now on. */
export async function noteToasts(context: BrowserContext): Promise<void> {
  noted.add(context)
  await context.addInitScript(watchToasts, MARK)
  context.on('console', (message) => {
    const page = message.page()
    if (!page || !message.text().startsWith(MARK)) return
    const texts = unread.get(page) ?? []
    unread.set(page, texts)
    texts.push(message.text().slice(MARK.length))
  })
}

/**
 * Waits until a toast has said this, in its title or its text, also if it is gone by now. What one
 * wait has found does not count for the next. A toast that stays, such as those of pages without
 * scripts, counts while it is shown.
 */
export async function expectToast(
  page: Page,
  said: string | RegExp,
  options: { timeout?: number } = {},
): Promise<void> {
  if (!noted.has(page.context())) throw new Error('noteToasts was not called for this context')
  const matches = (text: string) => (typeof said === 'string' ? text === said : said.test(text))
  const staying = page.locator('[data-toast]').getByText(said, { exact: true })
  const isSaid = async () => {
    const texts = unread.get(page) ?? []
    const at = texts.findIndex(matches)
    if (at >= 0) texts.splice(at, 1)
    return at >= 0 || (await staying.filter({ visible: true }).count()) > 0
  }
  await expect.poll(isSaid, { message: `the toast ${String(said)}`, ...options }).toBe(true)
}

/** Fails if a toast has said this and no wait has found it. */
export function expectNoToast(page: Page, said: string): void {
  expect(unread.get(page) ?? []).not.toContain(said)
}
