// Draws public/slider-images/*.png and *.webp, public/logo.png and public/favicon.ico with the preview renderer.
// Run it after changes to the renderer or to app/lib/samples.ts: node scripts/make-samples.mjs
import fs from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { root } from './lib/root.mjs'

// Inside node_modules, so that the bundle finds its packages.
const outfile = path.join(root, 'node_modules/.cache/reelmill-samples/draw.mjs')

await build({
  entryPoints: [path.join(root, 'scripts/samples/draw.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  alias: { '~': path.join(root, 'app') },
  logLevel: 'warning',
})
try {
  const { drawSamples } = await import(pathToFileURL(outfile).href)
  await drawSamples(path.join(root, 'public'))
} finally {
  await fs.rm(path.dirname(outfile), { recursive: true, force: true })
}
