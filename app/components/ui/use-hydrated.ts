import { useEffect, useState } from 'react'

let isPageHydrated = false

/**
 * Returns false on the server and in the browser's first render, true from then on. It changes in
 * the same render as the state that other effects set from what was typed before the scripts
 * loaded, so no button is disabled in between.
 */
export function useHydrated(): boolean {
  const [isHydrated, setHydrated] = useState(isPageHydrated)
  useEffect(() => {
    isPageHydrated = true
    setHydrated(true)
  }, [])
  return isHydrated
}
