import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Boot } from '~/boot/deps.server'
import { MANIFEST } from '~/lib/manifest-path'
import { paths } from '~/lib/paths'
import { THEME_COLOURS } from '~/lib/theme-colours'
import { offlinePage, PLAIN_STYLE_SOURCE } from '../responses/plain-page.server'
import type { Get } from './express-routes.server'

const SERVICE_WORKER = '/service-worker.js'

/**
 * Mounts what makes the product an app on a device: its description for the system, and its service
 * worker, which shows a page of its own when there is no connection and keeps nothing.
 */
export function mountInstalled(get: Get, { env: { PRODUCT_NAME: product } }: Boot): void {
  const description = JSON.stringify(manifestOf(product))
  const worker = workerOf(product)
  get(MANIFEST, (_req, res) => {
    res.setHeader('Cache-Control', 'public, max-age=3600')
    res.type('application/manifest+json').send(description)
  })
  get(SERVICE_WORKER, (_req, res) => {
    // A browser compares it with the one that it has.
    res.setHeader('Cache-Control', 'no-cache')
    res.type('text/javascript').send(worker)
  })
}

const manifestOf = (name: string) => ({
  id: paths.app,
  name,
  short_name: name,
  description: 'Turn prompts into short videos, one at a time or a hundred at once.',
  lang: 'en',
  start_url: paths.app,
  scope: '/',
  display: 'standalone',
  background_color: THEME_COLOURS.light,
  theme_color: THEME_COLOURS.light,
  icons: [
    icon('/icon-192.png', 192, 'any'),
    icon('/icon-512.png', 512, 'any'),
    icon('/icon-maskable-512.png', 512, 'maskable'),
  ],
})

const icon = (src: string, size: number, purpose: 'any' | 'maskable') => ({
  src,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
})

/** The script, below the page that it shows. With another page it is another script. */
function workerOf(product: string): string {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src ${PLAIN_STYLE_SOURCE}`,
  }
  return [
    `const OFFLINE_PAGE = ${JSON.stringify(offlinePage(product))}`,
    `const OFFLINE_HEADERS = ${JSON.stringify(headers)}`,
    readFileSync(path.resolve('public', 'service-worker.js'), 'utf8'),
  ].join('\n')
}
