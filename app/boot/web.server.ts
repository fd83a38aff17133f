import path from 'node:path'
import { requireEnv } from '~/platform/env.server'
import { boot, type Boot } from './deps.server'

declare global {
  // The development server loads the bundle again and again; connections are opened once.
  var reelmillWeb: Boot | undefined
}

/** The web process's dependencies, built at the first call. */
export function webBoot(): Boot {
  globalThis.reelmillWeb ??= boot({
    env: requireEnv(process.env),
    name: 'web',
    buildDir: path.resolve('build'),
    // Eight for what is heavy at its most (app/http/access/admission.server.ts), four for everything else.
    poolSize: 12,
    connectTimeoutMs: 1500,
    statementTimeoutMs: 5000,
  })
  return globalThis.reelmillWeb
}
