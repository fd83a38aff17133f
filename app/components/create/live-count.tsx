import type { ReactNode } from 'react'
import { useHydrated } from '../ui/use-hydrated'

type Props = { id?: string; children: ReactNode }

/** A count of what is typed. Without scripts it would stand still and be wrong, so it is not seen. */
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
