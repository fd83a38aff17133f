import { flatRoutes } from 'remix-flat-routes'

// Remix’s options. How pages are compiled is in vite.config.ts.

const notRoutes = ['.*', '**/*.css', '**/*.test.{ts,tsx}', '**/__*.*', '**/*.server.*']

/** @satisfies {import('@remix-run/dev').VitePluginConfig} */
const options = {
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

export default options
