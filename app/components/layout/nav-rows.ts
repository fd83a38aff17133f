import { paths } from '~/lib/paths'
import type { IconName } from '../ui/icon-names'

/** A row of the sidebar. `end`: current only for exactly this path, not for paths below it. */
export type NavRow = { to: string; label: string; icon: IconName; end?: true }

export const MAIN_ROWS: readonly NavRow[] = [
  { to: paths.app, label: 'Generate Video', icon: 'clapperboard' },
  { to: paths.dashboard, label: 'My Videos', icon: 'square-play' },
  { to: paths.batches, label: 'Batches', icon: 'layers' },
  { to: paths.collections, label: 'Collections', icon: 'folder' },
]

export type AdminGroup = { title: string; rows: readonly NavRow[] }

/**
 * Returns the group of the page at this address: that of the longest address above it, so that the page
 * of one user is with User Management. Undefined outside the administrators' area.
 */
export function adminGroupOf(
  groups: readonly AdminGroup[],
  pathname: string,
): AdminGroup | undefined {
  // The System page leads there, too.
  const page = `${pathname === paths.admin.setup ? paths.admin.system : pathname}/`
  const [nearest] = groups
    .flatMap((group) => group.rows.map(({ to }) => ({ group, to })))
    .filter(({ to }) => page.startsWith(`${to}/`))
    .sort((one, other) => other.to.length - one.to.length)
  return nearest?.group
}
