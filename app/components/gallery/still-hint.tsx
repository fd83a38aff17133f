import { readDialog } from '~/lib/dialog-address'
import { ButtonLink } from '../ui/button'
import { galleryAddress } from './address'

/** Without scripts: the address of a gallery that does not refresh itself. */
const STILL = 'still'

/**
 * Whether somebody is in the middle of something that a refresh of the page would undo: ticking, searching, or answering a question.
 */
export function standsStill(search: URLSearchParams): boolean {
  return [STILL, 'select', 'search'].some((name) => search.get(name)) || isAsking(search)
}

const isAsking = (search: URLSearchParams) => readDialog(search).name !== null

type Props = { search: string; isFollowing: boolean }

/** Without scripts: whether this gallery shows progress or can be worked with, and the way to the other. */
export function StillHint({ search, isFollowing }: Props) {
  return (
    <noscript>
      <p className="mt-6 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border border-line bg-surface p-4 text-sm">
        {isFollowing
          ? 'This page refreshes itself. To search or select, pause it.'
          : 'Refreshing is paused while you search or select.'}
        <ButtonLink
          to={galleryAddress(
            search,
            isFollowing ? { [STILL]: 'yes' } : { [STILL]: null, search: null },
          )}
          look="plain"
        >
          {isFollowing ? 'Pause' : 'Resume'}
        </ButtonLink>
      </p>
    </noscript>
  )
}
