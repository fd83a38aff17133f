import { flatRoutes } from 'remix-flat-routes'

// Remix’s options. How pages are compiled is in vite.config.ts.

const notRoutes = ['.*', '**/*.css', '**/*.test.{ts,tsx}', '**/__*.*', '**/*.server.*']

/**
 * A page is `name.tsx`, or `name/route.tsx` with its own views beside it. Both have the id `name`, so that a
 * tab that was opened before an upgrade still finds a page that became a folder.
 * @param {import('@remix-run/dev/dist/config/routes.js').DefineRoutesFunction} defineRoutes
 */
function pages(defineRoutes) {
  const routes = flatRoutes('routes', defineRoutes, { ignoredRouteFiles: notRoutes })
  return Object.fromEntries(
    Object.values(routes).map((route) => {
      const id = route.id.replace(/\/route$/, '')
      return [id, { ...route, id }]
    }),
  )
}

/** @satisfies {import('@remix-run/dev').VitePluginConfig} */
const options = {
  ignoredRouteFiles: ['**/*'],
  routes: pages,
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_throwAbortReason: true,
    v3_lazyRouteDiscovery: false,
    v3_singleFetch: false,
  },
}

export default options
