import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useMatches,
} from '@remix-run/react'
import { createElement, type ReactNode } from 'react'
import { readHandle, readRefreshSeconds } from './components/layout/handle'
import { useNonce } from './components/layout/nonce'
import { errorTitle, PageError } from './components/layout/page-error'
import { unlessDialog } from './components/layout/should-revalidate'
import { ToastTemplates } from './components/ui/toasts'
import { Toaster } from './components/ui/toaster'
import { useRootData } from './components/ui/use-root-data'
import { loadRoot } from './http/loaders/root.server'
import { readDialog } from './lib/dialog-address'
import { readFormat } from './lib/figures'
import { pageMeta, productName } from './lib/title'
import stylesheet from './styles/tailwind.css?url'

export const links: LinksFunction = () => [{ rel: 'stylesheet', href: stylesheet }]

/** For error pages. All others have a title of their own. */
export const meta: MetaFunction = ({ error }) => pageMeta(errorTitle(error))

export const loader = (args: LoaderFunctionArgs) => loadRoot(args)

/** Renders the document. Also used for the root's error page, which has no loader data. */
export function Layout({ children }: { children: ReactNode }) {
  const data = useRootData()
  const nonce = useNonce()
  const { withScripts, refreshSeconds } = useDocumentHandle()
  return (
    <html
      lang="en"
      data-theme={shownTheme() ?? data?.theme ?? undefined}
      data-figures={readFormat()}
      data-product={productName()}
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        <Links />
        {data?.head.map(([tag, props], key) => createElement(tag, { key, ...props }))}
        {refreshSeconds !== null && (
          <noscript>
            <meta httpEquiv="refresh" content={String(refreshSeconds)} />
            <link rel="stylesheet" href="/following.css" />
          </noscript>
        )}
      </head>
      <body>
        {children}
        {withScripts ? (
          <>
            <Toaster toast={data?.toast ?? null} />
            <ScrollRestoration nonce={nonce} />
            <Scripts nonce={nonce} />
          </>
        ) : (
          <>
            <ToastTemplates />
            <script src="/enhance.js" defer />
          </>
        )}
      </body>
    </html>
  )
}

/**
 * The theme that the document has. In a browser it may be newer than the data, and an error page has
 * none.
 */
const shownTheme = () =>
  typeof document === 'undefined' ? undefined : document.documentElement.dataset.theme

function useDocumentHandle(): { withScripts: boolean; refreshSeconds: number | null } {
  const matches = useMatches()
  // A page does not reload itself while a dialog is open: the user may be reading or typing in it.
  const isOpen = readDialog(new URLSearchParams(useLocation().search)).name !== null
  const seconds = matches.map(({ data }) => readRefreshSeconds(data)).find(Number) ?? null
  return {
    withScripts: matches.every(({ handle }) => readHandle(handle).scripts !== false),
    refreshSeconds: isOpen ? null : seconds,
  }
}

export default function Root() {
  return <Outlet />
}

export { PageError as ErrorBoundary, unlessDialog as shouldRevalidate }
