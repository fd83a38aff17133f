import { createContext, useContext, useState, type ReactNode } from 'react'
import type { QuotaView } from '~/domain/quota/types'
import { useBeforePaint } from '../ui/use-before-paint'

const Known = createContext<QuotaView | null>(null)
const Tell = createContext<(quota: QuotaView | null) => void>(() => undefined)

/**
 * Wraps the frame and its page, so that the frame can show the quota that the page keeps up to
 * date.
 */
export function LiveQuotaProvider({ children }: { children: ReactNode }) {
  const [quota, setQuota] = useState<QuotaView | null>(null)
  return (
    <Tell.Provider value={setQuota}>
      <Known.Provider value={quota}>{children}</Known.Provider>
    </Tell.Provider>
  )
}

/** Returns today's quota as the open page knows it. Null on pages that do not follow it. */
export const useLiveQuota = (): QuotaView | null => useContext(Known)

/** Shows the page's quota in the frame as well, while the page is open: never different figures. */
export function useTellQuota(quota: QuotaView): void {
  const tell = useContext(Tell)
  useBeforePaint(() => {
    tell(quota)
  }, [quota, tell])
  useBeforePaint(() => () => tell(null), [tell])
}
