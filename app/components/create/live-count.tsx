import type { ReactNode } from 'react'
import { useHydrated } from '../ui/use-hydrated'

type Props = { id?: string; children: ReactNode }

/** A count of what is typed. Hidden without scripts, because it would not be updated. */
export function LiveCount({ id, children }: Props) {
  const isHydrated = useHydrated()
  return (
    <span
      id={id}
      className={`shrink-0 text-xs tabular-nums text-soft ${isHydrated ? '' : 'invisible'}`}
    >
      {children}
    </span>
  )
}
