import path from 'node:path'
import { nameProduct } from '~/lib/title'
import { requireEnv } from '~/platform/env.server'
import { boot, type Boot } from './deps.server'

declare global {
  // `npm run dev` loads this module again after a change, and sets it to undefined before.
  var reelmillWeb: Boot | undefined
}

/** Returns the web process's dependencies, created on the first call. */
export function webBoot(): Boot {
  globalThis.reelmillWeb ??= boot({
    env: requireEnv(process.env),
    name: 'web',
    buildDir: path.resolve('build'),
    // Eight for heavy requests at their limit (app/http/access/admission.server.ts), four for all
    // others.
    poolSize: 12,
    // A page that takes four seconds on a busy machine is better than one that fails after one.
    connectTimeoutMs: 4000,
    statementTimeoutMs: 5000,
  })
  nameProduct(globalThis.reelmillWeb.env.PRODUCT_NAME)
  return globalThis.reelmillWeb
}
