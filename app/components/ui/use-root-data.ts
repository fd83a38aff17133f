import { useRouteLoaderData } from '@remix-run/react'
import type { loadRoot } from '~/http/loaders/root.server'

/** Returns the root loader's data. Undefined if the loader failed. */
export const useRootData = () => useRouteLoaderData<typeof loadRoot>('root')

/** Returns the platform's time zone. UTC if the root loader failed. */
export const usePlatformZone = (): string => useRootData()?.timeZone ?? 'UTC'
