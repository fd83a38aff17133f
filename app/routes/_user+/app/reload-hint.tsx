import { paths } from '~/lib/paths'
import { ButtonLink } from '~/components/ui/button'
import { PANEL_ID } from './tabs'

/** Returns the URL of a tab's form. On a phone the work in progress is above it. */
const boxOn = (tab: 'text' | 'bulk') => `${paths.create(tab)}#${PANEL_ID}`

/**
 * Without scripts: tells whether this page shows progress or can be written into, with links to the
 * other kind of page.
 */
export function ReloadHint({ isFollowing }: { isFollowing: boolean }) {
  return (
    <noscript>
      {/* Browsers with scripts need no code for it. */}
      {typeof document === 'undefined' && (
        <div className="space-y-3 rounded-lg border border-line bg-surface p-5 text-sm">
          {isFollowing ? (
            <>
              <p>This page refreshes itself to show progress. To write, open a form.</p>
              <p className="flex flex-wrap gap-2">
                <ButtonLink to={boxOn('text')} look="plain">
                  Write a prompt
                </ButtonLink>
                <ButtonLink to={boxOn('bulk')} look="plain">
                  Write many prompts
                </ButtonLink>
              </p>
            </>
          ) : (
            <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
              This page does not refresh while you write.
              <ButtonLink to={paths.app} look="plain">
                Show progress
              </ButtonLink>
            </p>
          )}
        </div>
      )}
    </noscript>
  )
}
