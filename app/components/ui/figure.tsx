import { figure } from '~/lib/text'
import { useHydrated } from './use-hydrated'

/** A number to be read: separated as the browser's language does, without scripts in English. */
export function Figure({ value }: { value: number }) {
  const isHydrated = useHydrated()
  return <>{isHydrated ? value.toLocaleString() : figure(value)}</>
}
