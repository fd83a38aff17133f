import { figure } from '~/lib/text'
import { useHydrated } from './use-hydrated'

/** Writes numbers as the browser's language does, without scripts as in English. */
export function useFigure(): (value: number) => string {
  const isHydrated = useHydrated()
  return (value) => (isHydrated ? value.toLocaleString() : figure(value))
}

/** A number to be read. */
export function Figure({ value }: { value: number }) {
  return <>{useFigure()(value)}</>
}
