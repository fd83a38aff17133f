import type { Boot } from '~/boot/deps.server'
import { days } from '~/lib/time'
import type { Get } from './express-routes.server'

/** Validity of the file. Each request renews it. */
const VALID_MS = days(180)

/** Mounts security.txt, which names the contact for reporting vulnerabilities (RFC 9116). */
export function mountSecurityText(get: Get, { env }: Boot): void {
  get('/.well-known/security.txt', (_req, res) => {
    const lines = [
      `Contact: mailto:${env.CONTACT_EMAIL}`,
      `Expires: ${new Date(Date.now() + VALID_MS).toISOString()}`,
      `Canonical: ${new URL('/.well-known/security.txt', env.APP_URL).href}`,
      'Preferred-Languages: en',
    ]
    res.type('text/plain').send(`${lines.join('\n')}\n`)
  })
}
