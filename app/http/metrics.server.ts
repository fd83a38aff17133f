import type { Request } from 'express'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { AppError } from '~/domain/errors'
import type { Boot } from '~/boot/deps.server'
import type { Get } from './own-routes.server'

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/** Prometheus text, for the machine itself or whoever holds METRICS_TOKEN. */
export function mountMetrics(get: Get, { env }: Boot): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const mayRead = (req: Request) =>
    LOOPBACK.has(req.socket.remoteAddress ?? '') && req.headers['x-forwarded-for'] === undefined
      ? true
      : env.METRICS_TOKEN !== undefined &&
        req.headers.authorization === `Bearer ${env.METRICS_TOKEN}`
  get('/metrics', async (req, res) => {
    if (!mayRead(req)) throw new AppError('NOT_FOUND', 'There is nothing here')
    res.type(registry.contentType).send(await registry.metrics())
  })
}
