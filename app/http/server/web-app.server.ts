import path from 'node:path'
import type { ServerBuild } from '@remix-run/node'
import compression from 'compression'
import expressStaticGzip from 'express-static-gzip'
import express, { Router, type Express, type RequestHandler } from 'express'
import type { Boot } from '~/boot/deps.server'
import { findAccess, NO_ROUTE } from '../access/access'
import { checkRoutes } from '../access/route-coverage.server'
import { createAdmission } from '../access/admission.server'
import { startInTurns } from '../access/turns.server'
import { numberFormat } from './number-format.server'
import { accessLog } from './access-log.server'
import { createCookies } from '../session/cookies.server'
import { callPaths } from '../endpoints/calls/table.server'
import { mountCspReports } from '../endpoints/csp-reports.server'
import { mountExports } from '../endpoints/exports.server'
import { expressErrors } from './express-errors.server'
import { checkAccess, readCookies } from '../access/guard.server'
import { checkAddress, checkForm, checkShape, identify } from '../access/request-checks.server'
import { mountHealth } from '../endpoints/health.server'
import { mountPolledCalls } from '../endpoints/polling-endpoints.server'
import { mountFilms, mountMedia, mountShared } from '../endpoints/media.server'
import { mountMetrics, timeRequests } from '../endpoints/metrics.server'
import { caught, expressRoutes } from '../endpoints/express-routes.server'
import { mountInstalled } from '../endpoints/installed.server'
import { mountResume } from '../endpoints/resume.server'
import { remixHandler } from './remix-handler.server'
import { securityHeaders } from './security-headers.server'
import { watchForWorker } from './watch-worker.server'
import { finishBody } from './unread-body.server'
import { mountSecurityText } from '../endpoints/security-text.server'

/**
 * Builds the web server's request path, in this order: identity, turns, headers, static files, the guard,
 * limits per client, the calls handled without Remix, Remix, errors. Throws if a route is missing
 * from the access table.
 */
export function createWebApp(boot: Boot, build: ServerBuild): Express {
  const { env, log, stopping } = boot
  const { host, protocol } = new URL(env.APP_URL)
  watchForWorker(boot)
  const own = expressRoutes()
  const mounts = [
    mountHealth,
    mountSecurityText,
    mountInstalled,
    mountMetrics,
    mountPolledCalls,
    mountMedia,
    mountFilms,
    mountShared,
    mountResume,
  ]
  for (const mount of mounts) mount(own.get, boot)
  mountExports(own, boot)
  mountCspReports(own.post, boot)
  checkRoutes(build, [...own.paths, ...callPaths])

  const app = express()
  app.disable('x-powered-by')
  app.set('trust proxy', env.TRUST_PROXY)
  app.use(closeWhen(stopping.signal))
  app.use(
    finishBody,
    timeRequests,
    identify(env.TRUST_PROXY > 0),
    accessLog(log),
    startInTurns(),
    numberFormat,
    securityHeaders(protocol === 'https:'),
  )
  app.use(checkAddress, staticFiles(), compression({ threshold: 1024 }))
  const cookies = createCookies(env)
  const { countRequests, takeTurns } = createAdmission(env.THROTTLE_SCALE)
  app.use(
    checkShape(host, { takesPictures: boot.deps.settings.imageToVideo }),
    caught(readCookies(cookies)),
    countRequests,
    caught(checkAccess(boot, cookies)),
    checkForm,
    takeTurns,
  )
  app.use(own.router)
  app.all('*', remixHandler(build))
  app.use(expressErrors(log))
  return app
}

/** Once the process is about to stop, every response tells the client to use a new connection. */
const closeWhen = (stopping: AbortSignal): RequestHandler => {
  return (_req, res, next) => {
    if (stopping.aborted) res.setHeader('Connection', 'close')
    next()
  }
}

/**
 * Serves static files. Fingerprinted files are compressed at build time and cached for a year.
 * Browsers revalidate other files after an hour.
 */
function staticFiles(): Router {
  const router = Router()
  const folder = path.resolve('public')
  // Source maps reveal the source. They are only for the server's own stack traces.
  router.get(
    /^\/build\/.*\.map$/,
    (_req, res) => void res.status(404).type('text/plain').send('Not found'),
  )
  router.use(
    '/build',
    expressStaticGzip(path.join(folder, 'build'), {
      enableBrotli: true,
      orderPreference: ['br', 'gz'],
      serveStatic: { immutable: true, maxAge: '1y' },
    }),
    // A page from before a deployment may request files that no longer exist. The response is a
    // plain 404, not a page, and no error is logged.
    (_req, res) => void res.status(404).type('text/plain').send('Not found'),
  )
  const files = express.static(folder, { maxAge: '1h', index: false, redirect: false })
  // No route of the product is a file, so its requests need not look for one on the disk.
  router.use((req, res, next) => {
    if (findAccess(req.path)?.path === NO_ROUTE) files(req, res, next)
    else next()
  })
  return router
}
