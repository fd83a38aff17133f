import { Link, useSearchParams } from '@remix-run/react'

/** Without scripts the page reloads to show progress, which would lose a prompt being typed. */
export function ReloadHint({ isPaused }: { isPaused: boolean }) {
  const [search] = useSearchParams()
  const other = new URLSearchParams(search)
  if (isPaused) other.delete('pause')
  else other.set('pause', '1')
  return (
    <noscript>
      <p className="rounded border border-line bg-sunken p-3 text-sm">
        {isPaused ? 'This page stands still while you write. ' : 'This page reloads by itself. '}
        <Link to={`?${other}`} className="font-medium underline underline-offset-4">
          {isPaused ? 'Show progress' : 'Stop reloading to write'}
        </Link>
      </p>
    </noscript>
  )
}
