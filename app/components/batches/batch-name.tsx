import { nameIn } from '~/domain/batches/names'
import type { BatchView } from '~/domain/batches/types'
import { readersZone } from '../ui/day-time'
import { useHydrated } from '../ui/use-hydrated'
import { usePlatformZone } from '../ui/use-root-data'

type Named = Pick<BatchView, 'name' | 'createdAt'>

/** Returns a batch's name. One from its time agrees with the times beside it, like those of `DayTime`. */
export function useBatchName(batch: Named): string {
  const timeZone = usePlatformZone()
  const isHydrated = useHydrated()
  return isHydrated ? nameIn(batch, { from: timeZone, to: readersZone() }) : batch.name
}

/** The same as text among text of any direction. */
export const BatchName = ({ batch }: { batch: Named }) => <bdi>{useBatchName(batch)}</bdi>
