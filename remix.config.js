import { flatRoutes } from 'remix-flat-routes'

const notRoutes = ['.*', '**/*.css', '**/*.test.{ts,tsx}', '**/__*.*', '**/*.server.*']

// `scripts/build.mjs` sets a separate folder; development uses the default ones.
const { BUILD_FOLDER } = process.env
const places = BUILD_FOLDER && {
  serverBuildPath: `${BUILD_FOLDER}/index.js`,
  assetsBuildDirectory: `${BUILD_FOLDER}/public`,
}

/** @type {import('@remix-run/dev').AppConfig} */
export default {
  ...places,
  serverModuleFormat: 'esm',
  serverPlatform: 'node',
  cacheDirectory: './node_modules/.cache/remix',
  tailwind: true,
  postcss: false,
  watchPaths: ['./tailwind.config.ts'],
  ignoredRouteFiles: ['**/*'],
  routes: (defineRoutes) => flatRoutes('routes', defineRoutes, { ignoredRouteFiles: notRoutes }),
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_throwAbortReason: true,
    v3_lazyRouteDiscovery: false,
    v3_singleFetch: false,
  },
}
