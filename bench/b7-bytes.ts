import { brotliCompressSync, gzipSync } from 'node:zlib'
import { chromium, type Browser, type Page } from 'playwright'
import { findChromium } from '../scripts/lib/chromium.mjs'
import { addVideos } from '../tests/support/ended-videos'
import type { Client } from '../tests/support/client'
import { startInstallation, type Installation } from '../tests/support/installation'
import { round } from './measure'

const OWN_VIDEOS = 5_000
/** A slow phone: a quarter of this machine's speed, 1.6 Mbit/s and 150 ms latency. */
const SLOWER = 4
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 200_000,
  uploadThroughput: 94_000,
}
const PHONE = { width: 375, height: 780 }

export type PageWeight = {
  path: string
  htmlGzip: number
  scriptFiles: number
  scriptsBrotli: number
  scriptsGzip: number
  /** On the slow phone, in milliseconds. The layout shift has no unit. */
  firstPaint: number
  largestPaint: number
  layoutShift: number
  /** The sum of the times beyond 50 ms of all long tasks, until the network was idle. */
  blocked: number
}

/** B7: measures the sizes of pages, and how fast a slow phone shows them with an empty cache. */
export async function weight(): Promise<PageWeight[]> {
  const product = await startInstallation()
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  try {
    const user = await product.user({ plan: 'Enterprise' })
    await addVideos(product, { userId: user.userId, status: 'completed', n: OWN_VIDEOS })
    const admin = await product.user({ role: 'admin' })
    const visits: Visit[] = [
      ...['/', '/login', '/pricing'].map((path) => ({ path })),
      ...['/app', '/dashboard'].map((path) => ({ path, who: user })),
      { path: '/admin', who: admin },
    ]
    const weights: PageWeight[] = []
    for (const visit of visits) weights.push(await weigh(browser, product, visit))
    return weights
  } finally {
    await browser.close()
    await product.remove()
  }
}

type Visit = { path: string; who?: Client }

async function weigh(
  browser: Browser,
  { url }: Installation,
  { path, who }: Visit,
): Promise<PageWeight> {
  const context = await browser.newContext({ viewport: PHONE, baseURL: url })
  await context.addCookies((who?.cookies() ?? []).map((cookie) => ({ ...cookie, url })))
  const page = await context.newPage()
  const scripts: Buffer[] = []
  const bodies: Promise<unknown>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script')
      bodies.push(response.body().then((body) => scripts.push(body)))
  })
  await slowDown(page)
  await page.addInitScript(WATCH)
  const response = await page.goto(path, { waitUntil: 'networkidle' })
  const html = await response?.body()
  await Promise.all(bodies)
  const times = await page.evaluate(() => window.reelmillTimes)
  await context.close()
  const sum = (sizes: number[]) => sizes.reduce((a, b) => a + b, 0)
  return {
    path,
    htmlGzip: gzipSync(html ?? '').length,
    scriptFiles: scripts.length,
    scriptsBrotli: sum(scripts.map((body) => brotliCompressSync(body).length)),
    scriptsGzip: sum(scripts.map((body) => gzipSync(body, { level: 9 }).length)),
    firstPaint: Math.round(times.first),
    largestPaint: Math.round(times.largest),
    layoutShift: round(times.shift),
    blocked: Math.round(times.blocked),
  }
}

async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', NETWORK)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
}

declare global {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- merging needs an interface
  interface Window {
    reelmillTimes: { first: number; largest: number; shift: number; blocked: number }
  }
}

/**
 * Runs in the page before its own scripts and records what the browser reports. It is a string
 * because a compiled function would call helpers of the compiler.
 */
const WATCH = `
  const times = window.reelmillTimes = { first: 0, largest: 0, shift: 0, blocked: 0 }
  const observe = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true })
  observe('paint', (entry) => {
    if (entry.name === 'first-contentful-paint') times.first = entry.startTime
  })
  observe('largest-contentful-paint', (entry) => { times.largest = entry.startTime })
  observe('longtask', (entry) => { times.blocked += entry.duration - 50 })
  observe('layout-shift', (entry) => { times.shift += entry.value })
`
