import { useRouteLoaderData } from '@remix-run/react'
import type { loader } from '~/root'

/** Returns the root loader's data. Undefined if the loader failed. */
export const useRootData = () => useRouteLoaderData<typeof loader>('root')
