import { figure } from '~/lib/text'
import { useHydrated } from './use-hydrated'

/**
 * Returns a function that formats numbers in the browser's language. Without scripts it formats as
 * in English.
 */
export function useFigure(): (value: number) => string {
  const isHydrated = useHydrated()
  return (value) => (isHydrated ? value.toLocaleString() : figure(value))
}

/** A number, formatted for reading. */
export function Figure({ value }: { value: number }) {
  return <>{useFigure()(value)}</>
}
