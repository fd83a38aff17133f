import type { NextFunction, Request, Response } from 'express'
import helmet from 'helmet'
import { z } from 'zod'
import { CSP_REPORTS } from '../endpoints/csp-reports.server'
import { PLAIN_STYLE_SOURCE } from '../responses/plain-page.server'

/**
 * Browser features that the product's pages use, and features that are disabled for any code in
 * them.
 */
const PERMISSIONS = [
  ...['autoplay', 'clipboard-write', 'fullscreen', 'picture-in-picture'].map(
    (name) => `${name}=(self)`,
  ),
  ...[
    'camera',
    'display-capture',
    'geolocation',
    'hid',
    'microphone',
    'midi',
    'payment',
    'serial',
    'usb',
  ].map((name) => `${name}=()`),
].join(', ')

/** Sets the security headers of every response. Scripts run only with the response's own nonce. */
export function securityHeaders(isHttps: boolean) {
  const apply = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", (_req, res) => `'nonce-${nonceOf(res)}'`],
        styleSrc: ["'self'", PLAIN_STYLE_SOURCE],
        imgSrc: ["'self'", 'data:'],
        mediaSrc: ["'self'"],
        connectSrc: process.env.NODE_ENV === 'development' ? ["'self'", 'ws:'] : ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        reportUri: [CSP_REPORTS],
        ...(isHttps && { upgradeInsecureRequests: [] }),
      },
    },
    crossOriginEmbedderPolicy: false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    strictTransportSecurity: isHttps,
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
  })
  return (req: Request, res: Response, next: NextFunction): void => {
    res.setHeader('Permissions-Policy', PERMISSIONS)
    apply(req, res, next)
  }
}

/** Helmet passes the response on without Express's type. */
const response = z.object({ locals: z.object({ context: z.object({ nonce: z.string() }) }) })
const nonceOf = (res: unknown): string => response.parse(res).locals.context.nonce
