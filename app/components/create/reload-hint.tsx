import { Link } from '@remix-run/react'
import { paths } from '~/lib/paths'
import { Button } from '../ui/button'

const LINK = 'inline-flex min-h-11 items-center font-medium underline underline-offset-4'

type Props = { isFollowing: boolean; isSingleRunning: boolean }

/** Without scripts: whether this page shows progress or can be written into, and the way to the other. */
export function ReloadHint({ isFollowing, isSingleRunning }: Props) {
  return (
    <noscript>
      <div className="rounded border border-line bg-sunken px-4 py-2 text-sm">
        {isFollowing ? (
          <>
            <p className="pt-1">
              This page shows progress by loading itself anew, so there is no box to type into here.
            </p>
            <p className="flex flex-wrap gap-x-4">
              <Link to={paths.create('text')} className={LINK}>
                Write a prompt
              </Link>
              <Link to={paths.create('bulk')} className={LINK}>
                Write many prompts
              </Link>
            </p>
            {isSingleRunning && (
              <p className="flex flex-wrap items-center gap-3 pb-2 text-soft">
                <Button disabled>Generate Video</Button>
                The next video can start after the one that is being made.
              </p>
            )}
          </>
        ) : (
          <p className="flex flex-wrap items-center gap-x-4">
            This page stands still while you write.
            <Link to={paths.app} className={LINK}>
              Show progress
            </Link>
          </p>
        )}
      </div>
    </noscript>
  )
}
