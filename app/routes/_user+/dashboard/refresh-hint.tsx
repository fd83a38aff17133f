import { readDialog } from '~/lib/dialog-address'
import { ButtonLink } from '~/components/ui/button'
import { galleryAddress } from '~/components/gallery/address'

/** Without scripts: query parameter of a gallery that does not reload itself. */
const PAUSED = 'paused'

/**
 * Returns whether a reload of the page would interrupt the user while ticking, searching or
 * confirming.
 */
export function isRefreshPaused(search: URLSearchParams): boolean {
  return [PAUSED, 'select', 'search'].some((name) => search.get(name)) || isAsking(search)
}

const isAsking = (search: URLSearchParams) => readDialog(search).name !== null

type Props = { search: string; isFollowing: boolean }

/**
 * Without scripts: tells whether this gallery shows progress or can be worked with, with a link to
 * the other kind of page.
 */
export function RefreshHint({ search, isFollowing }: Props) {
  const asked = new URLSearchParams(search)
  // Without the search it is another list, which has other pages.
  const page = asked.get('search') ? null : asked.get('page')
  return (
    <noscript>
      {/* Browsers with scripts need no code for it. */}
      {typeof document === 'undefined' && (
        <p className="mt-6 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border border-line bg-surface p-4 text-sm">
          {isFollowing
            ? 'This page refreshes itself. To search or select, stop it.'
            : 'This page does not refresh itself while you search or select.'}
          <ButtonLink
            to={galleryAddress(
              search,
              isFollowing ? { page, [PAUSED]: 'yes' } : { page, [PAUSED]: null, search: null },
            )}
            look="plain"
          >
            {isFollowing ? 'Stop refreshing' : 'Refresh automatically'}
          </ButtonLink>
        </p>
      )}
    </noscript>
  )
}
