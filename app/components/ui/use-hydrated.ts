import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** Returns false on the server and in the browser's first render, true from then on. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
