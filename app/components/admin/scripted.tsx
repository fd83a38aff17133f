import { SCRIPTED } from '~/lib/carried'
import { useHydrated } from '../ui/use-hydrated'

/**
 * Tells the server that the page keeps what was typed: no response needs to include secrets, or to
 * ask for them again. Without scripts it is not sent.
 */
export const Scripted = () =>
  useHydrated() ? <input type="hidden" name={SCRIPTED} value="yes" /> : null
