import { useRouteLoaderData } from '@remix-run/react'
import type { LayoutData } from '~/http/loaders/layout.server'
import type { loadRoot } from '~/http/loaders/root.server'

/** Returns the root loader's data. Undefined if the loader failed. */
export const useRootData = () => useRouteLoaderData<typeof loadRoot>('root')

/** Returns the platform's time zone. UTC if the root loader failed. */
export const usePlatformZone = (): string => useRootData()?.timeZone ?? 'UTC'

/** Returns the daily prompt, or null outside the pages of users and if there is none. */
export const useDailyPrompt = () =>
  useRouteLoaderData<LayoutData>('routes/_user+/_layout')?.dailyPrompt ?? null

/** Returns the name of the signed-in account, or an empty text outside its pages. */
export function useAccountName(): string {
  const ofUser = useRouteLoaderData<LayoutData>('routes/_user+/_layout')
  const ofAdmin = useRouteLoaderData<LayoutData>('routes/_admin+/_layout')
  return (ofUser ?? ofAdmin)?.user.username ?? ''
}
