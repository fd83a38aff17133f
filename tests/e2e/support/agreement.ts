import { expect, type Page } from '@playwright/test'

declare global {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- merging needs an interface
  interface Window {
    quarrels?: Set<string>
    focusMoves?: string[]
    looks?: number
  }
}

/**
 * Runs in the page. Checks every 100 ms, and after every change of the document, whether two places
 * of the create screen contradict each other, and records where the focus is.
 */
function look(): void {
  const quarrels = new Set<string>()
  const focusMoves: string[] = []
  window.quarrels = quarrels
  window.focusMoves = focusMoves
  window.looks = 0
  const text = (selector: string) => document.querySelector(selector)?.textContent ?? ''
  const figure = (pattern: RegExp, from: string) => Number(pattern.exec(from)?.[1] ?? NaN)
  const expectSame = (what: string, ...values: unknown[]) => {
    if (new Set(values).size > 1) quarrels.add(`${what}: ${values.join(' and ')}`)
  }
  const see = () => {
    window.looks = (window.looks ?? 0) + 1
    const main = text('main')
    const cards = [...document.querySelectorAll('#gallery article')].map((card) => ({
      prompt: card.querySelector('h3')?.textContent ?? '',
      isMoving: /Pending|Generating/.test(card.textContent),
    }))
    const moving = cards.filter(({ isMoving }) => isMoving).length
    const stat = (label: string) => figure(new RegExp(`${label}(\\d+)`), main)
    expectSame('in progress, counter and cards', stat('In Progress'), moving)
    expectSame('total, counter and cards', stat('Total Videos'), cards.length)
    expectSame('completed, counter and cards', stat('Completed'), cards.length - moving)
    const reserved = figure(/includes (\d+) in progress/, main) || 0
    expectSame('in progress, quota and cards', reserved, moving)
    const used = /(\d+) of (\d+) videos used today/.exec(main)
    const frame = /Today(\d+)\/(\d+)/.exec(text('#sidebar'))
    expectSame('used today, card and frame', used?.slice(1).join('/'), frame?.slice(1).join('/'))
    const status = text('#status')
    const tracked = cards.find(({ prompt }) => prompt !== '' && status.includes(prompt))
    if (tracked) expectSame('status card and card', status.includes('Generating'), tracked.isMoving)
    expectSame('the hint and the cards', main.includes('starts by itself'), moving > 0)
    const toast = text('[data-radix-collection-item]')
    const ready = cards.find(
      ({ prompt }) => toast.includes('Video ready!') && toast.includes(prompt),
    )
    if (ready?.isMoving) quarrels.add(`told as ready and still moving: ${ready.prompt}`)
    if (text('dialog').includes('not ready yet')) quarrels.add('a preview without its clip')
    const { activeElement } = document
    const place = [activeElement?.id, activeElement?.textContent].find(Boolean) ?? 'nothing'
    if (focusMoves.at(-1) !== place) focusMoves.push(place)
  }
  setInterval(see, 100)
  new MutationObserver(see).observe(document.body, {
    childList: true,
    subtree: true,
    characterData: true,
  })
}

/** Watches the create screen until the page is left. */
export async function watchAgreement(page: Page) {
  await page.evaluate(look)
  return {
    /** Returns the contradictions, and where the focus has been. */
    seen: async (): Promise<{ quarrels: string[]; focus: string[] }> => {
      await expect.poll(() => page.evaluate(() => window.looks ?? 0)).toBeGreaterThan(10)
      return page.evaluate(() => ({
        quarrels: [...(window.quarrels ?? [])],
        focus: window.focusMoves ?? [],
      }))
    },
  }
}
