import { useRouteLoaderData } from '@remix-run/react'
import { DEFAULT_PLANS } from '~/domain/plans/catalogue'
import type { Plans } from '~/domain/plans/types'

/** Returns the plans as sold when the page was loaded, on an administrator's page. */
export const usePlans = (): Plans =>
  useRouteLoaderData<{ plans: Plans }>('routes/_admin+/_layout')?.plans ?? DEFAULT_PLANS
