import { useNavigation } from '@remix-run/react'

/**
 * A line at the top while the next page is loading. It appears with a delay, so that fast pages do
 * not flicker.
 */
export function LoadingBar() {
  const { state } = useNavigation()
  if (state === 'idle') return null
  return <div aria-hidden className="loading-bar fixed inset-x-0 top-0 z-50 h-0.5 bg-accent" />
}
