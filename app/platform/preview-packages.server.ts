import { createRequire } from 'node:module'

const PACKAGES = ['@napi-rs/canvas', '@napi-rs/webcodecs']

/**
 * Returns whether the packages that draw, encode and decode pictures are installed. They are
 * optional (decision 48). Without them there is no preview renderer, and clips get no poster.
 */
export function hasPreviewPackages(): boolean {
  const require = createRequire(import.meta.url)
  try {
    for (const name of PACKAGES) require.resolve(name)
    return true
  } catch {
    return false
  }
}
