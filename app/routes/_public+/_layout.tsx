import { Outlet } from '@remix-run/react'
import type { RouteHandle } from '~/components/layout/handle'

/** Public pages are complete without React in the browser and ship none of it. */
export const handle: RouteHandle = { scripts: false }

export default function PublicLayout() {
  return <Outlet />
}
