import { figure } from '~/lib/text'
import { useHydrated } from './use-hydrated'

/** The page is in English, so its digits are those of English in every language. */
const OPTIONS = { numberingSystem: 'latn' } as const

/**
 * Returns a function that formats numbers with the separators of the browser's language. Without
 * scripts it formats as in English.
 */
export function useFigure(): (value: number) => string {
  const isHydrated = useHydrated()
  return (value) => (isHydrated ? value.toLocaleString(undefined, OPTIONS) : figure(value))
}

/** A number, formatted for reading. */
export function Figure({ value }: { value: number }) {
  return <>{useFigure()(value)}</>
}
