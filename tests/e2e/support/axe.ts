import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { checkHtml } from '../../support/nu-html-checker'

/** Fails with axe's findings on the current page, after the end of all transitions of colours. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // A bar that stays at the top covers what is scrolled under it.
    scrollTo(0, 0)
    // So does a row that stays at the foot, until the page is scrolled.
    for (const row of document.querySelectorAll<HTMLElement>('.start-row, .composer-actions'))
      row.style.position = 'static'
    // The end of one starts those of the elements that inherit its colour.
    for (;;) {
      const running = document.getAnimations().filter((each) => each instanceof CSSTransition)
      if (running.length === 0) return
      for (const each of running) each.finish()
      await new Promise(requestAnimationFrame)
    }
  })
  // A page keeps axe while it is open, and half a megabyte of scripts takes as long as the rules.
  const hasAxe = await page.evaluate(() => 'axe' in globalThis)
  const { violations } = await new AxeBuilder({ page, ...(hasAxe && { axeSource: ';' }) })
    // Without frames there is nothing to collect in a page of axe's own, which takes longer.
    .setLegacyMode()
    // Otherwise it describes every element that passes a rule, which takes longer than the rules.
    .options({ resultTypes: ['violations'] })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  await page.evaluate(() => {
    for (const row of document.querySelectorAll<HTMLElement>('.start-row, .composer-actions'))
      row.style.position = ''
  })
  const found = violations.map(({ id, nodes }) => ({
    id,
    where: nodes.slice(0, 3).map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`),
  }))
  const { width } = page.viewportSize() ?? {}
  expect(found, `${page.url()} at ${width}`).toEqual([])
}

/** The width of a phone and of a desktop, each in both themes. */
export const LOOKS = [
  [375, 'light'],
  [375, 'dark'],
  [1280, 'light'],
  [1280, 'dark'],
] as const

export type Look = (typeof LOOKS)[number]

/** Gives the page this width and theme. */
export async function setLook(page: Page, [width, colorScheme]: Look): Promise<void> {
  await page.setViewportSize({ width, height: 800 })
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  // A busy browser applies it later, and would start transitions of colours during the check.
  const isApplied = () =>
    page.evaluate((theme) => matchMedia(`(prefers-color-scheme: ${theme})`).matches, colorScheme)
  await expect.poll(isApplied).toBe(true)
}

/** Whether pages are checked in more than one look, and as HTML, as `npm run test:slow` does. */
const isThorough = process.env.TEST_SUITE === 'slow'
/** `npm test` leaves most checks with axe to `npm run test:slow`. */
export const isQuick = process.env.TEST_SUITE === 'quick'

/** Firefox does not emulate the dark theme. */
const looksIn = (page: Page): readonly Look[] =>
  page.context().browser()?.browserType().name() === 'firefox'
    ? LOOKS.filter(([, theme]) => theme === 'light')
    : LOOKS

let turns = 0

/** Returns the looks to check a page in: all in the slow suite, otherwise one, in turn. */
export function looksInTurn(page: Page): readonly Look[] {
  const looks = looksIn(page)
  return isThorough ? looks : [looks[turns++ % looks.length] ?? LOOKS[0]]
}

/** Pages in turn get one pair of these looks or the other, and in another run perhaps the other pair. */
let pairs = Number(process.env.CHAOS_SEED ?? 0)

/** Of all four looks, returns two that have both widths and both themes. */
function pairOf(looks: readonly Look[]): readonly Look[] {
  if (looks.length < LOOKS.length) return looks
  const isEven = pairs++ % 2 === 0
  return looks.filter((_, place) => (place === 0 || place === 3) === isEven)
}

/**
 * Checks every page with axe, in one of the looks in turn; in `npm test` it does nothing. In the slow suite
 * it checks every page in both widths and both themes, and its HTML, as its scripts have changed it, with the Nu Html Checker. HTML as the
 * server sends it is checked in tests/http/valid-html.slow.test.ts. Each page is loaded once.
 */
export async function checkPages(page: Page, paths: readonly string[]): Promise<void> {
  if (isQuick) return
  const html = new Map<string, string>()
  for (const path of paths) {
    const looks = pairOf(looksInTurn(page))
    await setLook(page, looks[0] ?? LOOKS[0])
    await page.goto(path)
    for (const look of looks) {
      await setLook(page, look)
      await expectAccessible(page)
    }
    html.set(path, await page.content())
  }
  if (isThorough) expect(await checkHtml(html)).toEqual({})
}
