import { NO_CONNECTION, REQUEST_FAILED } from '~/lib/call-api'
import { loadEarly } from '../ui/on-demand'
import { showToast } from '../ui/toasts'

type Actions = Awaited<ReturnType<typeof load>>

const load = () => import('./gallery-actions')
loadEarly(load)

/**
 * Loads the actions of cards and galleries and runs one of them. If they cannot be loaded, the page
 * stays as it is and a toast says so.
 */
export async function withGalleryActions(
  run: (actions: Actions) => Promise<void> | void,
): Promise<void> {
  const actions = await load().catch(() => null)
  if (actions) return run(actions)
  const description = navigator.onLine ? 'Try again in a moment.' : NO_CONNECTION
  showToast({ kind: 'error', title: REQUEST_FAILED, description })
}
