import express, { type NextFunction, type Request, type Response } from 'express'
import { z } from 'zod'
import type { Boot } from '~/boot/deps.server'
import { minutes } from '~/lib/time'
import type { Post } from './express-routes.server'

/** Where browsers report what the Content-Security-Policy has blocked. */
export const CSP_REPORTS = '/csp-reports'

/** Log lines per minute. Extensions of one browser can cause any number of reports. */
const MOST_LINES = 10

const short = z.string().transform((value) => value.slice(0, 200))
/** An address without its query string, which may contain what users typed. */
const place = short.transform((value) => value.split(/[?#]/)[0] ?? '')
const reportSchema = z.object({
  'csp-report': z.object({
    'violated-directive': short,
    'blocked-uri': place.optional(),
    'document-uri': place.optional(),
    'source-file': place.optional(),
    'line-number': z.number().optional(),
  }),
})

/** Mounts the endpoint that logs these reports. Its response is the same for any body. */
export function mountCspReports(post: Post, { log }: Boot): void {
  let since = 0
  let lines = 0
  const note = (req: Request, res: Response) => {
    if (Date.now() - since > minutes(1)) {
      since = Date.now()
      lines = 0
    }
    const report = reportSchema.safeParse(req.body)
    if (report.success && lines++ < MOST_LINES)
      log.warn(report.data['csp-report'], 'the browser blocked content')
    res.status(204).end()
  }
  post(CSP_REPORTS, express.json({ type: () => true, limit: '16kb' }), note, ignore)
}

/** Ignores a body that cannot be read. */
// eslint-disable-next-line max-params -- Express knows error handlers by their four parameters
const ignore = (_error: unknown, _req: Request, res: Response, _next: NextFunction) => {
  res.status(204).end()
}
