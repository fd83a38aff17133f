import path from 'node:path'
import { vitePlugin as remix } from '@remix-run/dev'
import tailwindcss from 'tailwindcss'
import { defineConfig, type Plugin, type Rollup } from 'vite'
import remixOptions from './remix.config.js'
import { checkClientBundle } from './scripts/check-client-bundle.mjs'
import { NEXT } from './scripts/lib/next-build.mjs'

// How pages are compiled: `scripts/build.mjs` builds them, `scripts/dev.mjs` serves them from the source.

const FRAME = /\/app\/(entry\.client|root|routes\/[^/]+\/_layout)\.tsx/
const CREATE = '/app/routes/_user+/app/route.tsx'
const ADMIN = '/app/routes/_admin+/'
const FORMS = /\/node_modules\/(@conform-to|zod)\//

/**
 * Names the file of a module of the browser's, by the pages that import it, directly or through others. `base`
 * is for the frame of all pages and for the create screen, where nearly all users begin. A module of one page
 * is in that page's own file, and what several others share, also with a dialog, is in `rest`. Otherwise the compiler would make a file for each set of pages: 77 for the
 * create screen (docs/decisions/0015-few-scripts.md).
 */
function fileOf(id: string, { getModuleInfo }: Pick<Rollup.ManualChunkMeta, 'getModuleInfo'>) {
  // The entry of a page has a file of its own: what imports a shared file must not start the page.
  if (getModuleInfo(id)?.isEntry) return undefined
  const infos = (ids: Iterable<string>) => [...ids].flatMap((each) => getModuleInfo(each) ?? [])
  /** Returns the module, and all that `next` leads to from it. */
  const reach = (next: 'importers' | 'importedIds') => {
    const ids = new Set([id])
    for (const at of ids) for (const info of infos([at])) info[next].forEach((to) => ids.add(to))
    return infos(ids)
  }
  const pages = reach('importers').filter((one) => one.isEntry || one.dynamicImporters.length > 0)
  const isFor = (test: (page: string) => boolean) => pages.some((page) => test(page.id))
  if (isFor((page) => FRAME.test(page))) return 'base'
  if (pages.length < 2) return undefined
  if (isFor((page) => page.includes(CREATE))) return 'base'
  const isDialog = pages.some((page) => !page.isEntry)
  // What uses the library of forms, so that pages without forms do not load it.
  if (reach('importedIds').some((one) => FORMS.test(one.id))) return isDialog ? 'dialogs' : 'forms'
  return isFor((page) => !page.includes(ADMIN)) ? 'rest' : 'admin'
}

/** Leaves Remix's code for the other values of its options out of the browser's scripts: 6 kB. */
function fixOptions(): Plugin {
  const options = new Map<string, boolean>(Object.entries(remixOptions.future))
  const uses = /(?:window\.__remixContext\.)?\bfuture\.(v3_\w+)/g
  return {
    name: 'fix-options',
    transform: (code, id) =>
      id.includes('/node_modules/@remix-run/react/')
        ? code.replace(uses, (use, name: string) => String(options.get(name) ?? use))
        : null,
  }
}

export default defineConfig(({ isSsrBuild = false }) => ({
  base: '/build/',
  // The web server serves it.
  publicDir: false,
  resolve: { alias: { '~': path.resolve('app') } },
  css: { postcss: { plugins: [tailwindcss()] } },
  plugins: [
    remix({ ...remixOptions, buildDirectory: NEXT }),
    isSsrBuild ? null : fixOptions(),
    checkClientBundle(),
  ],
  // In development the plugin names the packages to bundle. A search for more would read server code.
  optimizeDeps: { noDiscovery: true, include: ['react-dom'] },
  build: {
    assetsDir: '',
    // Maps reveal the source: no script refers to its own.
    sourcemap: isSsrBuild || 'hidden',
    target: 'es2020',
    minify: !isSsrBuild && 'terser',
    // The licences are in THIRD_PARTY_NOTICES.
    terserOptions: {
      module: true,
      ecma: 2020,
      compress: { passes: 2 },
      format: { comments: false },
    },
    rollupOptions: {
      output: isSsrBuild ? { inlineDynamicImports: true } : { manualChunks: fileOf },
    },
  },
}))
