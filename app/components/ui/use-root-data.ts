import { useRouteLoaderData } from '@remix-run/react'
import type { loader } from '~/root'

/** What the document knows on every page; nothing where its loader failed. */
export const useRootData = () => useRouteLoaderData<typeof loader>('root')
