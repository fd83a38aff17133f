import { useNavigation } from '@remix-run/react'

/**
 * A line along the top while the next page is on its way. It shows only when that takes a moment, so
 * that quick pages do not flicker.
 */
export function LoadingBar() {
  const { state } = useNavigation()
  if (state === 'idle') return null
  return <div aria-hidden className="loading-bar fixed inset-x-0 top-0 z-50 h-0.5 bg-accent" />
}
