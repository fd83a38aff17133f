// Builds all programs: the pages (vite.config.ts), the web server, the worker, the release step, the
// operators' commands and the two child programs that render and inspect clips. Generates the
// database client before, which the programs and the type checker need.
import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'esbuild'
import { clearNext, NEXT, NEXT_ASSETS, putInPlace } from './lib/next-build.mjs'
import { programs } from './lib/programs.mjs'
import { root } from './lib/root.mjs'
import { beginBuild, ensureClient, forgetBuild, isBuilt, waitToPrepare } from './lib/state.mjs'

const run = promisify(execFile)

let hasWaited = false
const letOthers = await waitToPrepare((pid) => {
  hasWaited = true
  console.log(`Waiting for process ${pid}, which installs or builds …`)
})
if (hasWaited && (await isBuilt())) {
  await letOthers()
  process.exit()
}
try {
  await buildAll()
} finally {
  await letOthers()
}

async function buildAll() {
  await ensureClient()
  const noteBuilt = await beginBuild()
  await clearNext()

  const remix = createRequire(import.meta.url).resolve('@remix-run/dev/dist/cli.js')
  await run(process.execPath, [remix, 'vite:build', '--logLevel', 'warn'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
  })
  await build({ ...programs, outdir: NEXT })
  // The System page links into it.
  await fs.copyFile(path.join(root, 'docs/operations/runbook.md'), path.join(NEXT, 'runbook.md'))
  await compressAssets(NEXT_ASSETS)
  await forgetBuild()
  await putInPlace({
    next: NEXT,
    programs: path.join(root, 'build'),
    assets: path.join(root, 'public/build'),
  })
  await noteBuilt()
}

/**
 * Compresses fingerprinted files, once and at the highest level, because they never change.
 *
 * @param {string} dir
 */
async function compressAssets(dir) {
  const names = await fs.readdir(dir, { recursive: true })
  const assets = names.filter((name) => /\.(js|css|svg)$/.test(name))
  await Promise.all(
    assets.map(async (name) => {
      const file = path.join(dir, name)
      const bytes = await fs.readFile(file)
      const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
      await fs.writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, quality))
      await fs.writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
    }),
  )
}
