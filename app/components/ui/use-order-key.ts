import { useState } from 'react'
import { newKey } from '~/lib/ids'
import { useHydrated } from './use-hydrated'

/**
 * Returns the key of an order that a dialog's form makes, so that sending it several times orders once.
 * The page is not loaded again after an order with scripts, so the page's key would make two orders one:
 * each opened dialog has its own.
 */
export function useOrderKey(pageKey: string): string {
  const isHydrated = useHydrated()
  const [ownKey] = useState(newKey)
  return isHydrated ? ownKey : pageKey
}
