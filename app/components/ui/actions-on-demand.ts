import { NO_CONNECTION, REQUEST_FAILED } from '~/lib/call-api'
import { loadEarly } from './on-demand'
import { showToast } from './toasts'

/**
 * Returns a function that loads a file of actions and runs one of them. If they cannot be loaded, the
 * page stays as it is and a toast says so.
 */
export function actionsOnDemand<Actions>(load: () => Promise<Actions>) {
  loadEarly(load)
  return async (run: (actions: Actions) => Promise<void> | void): Promise<void> => {
    const actions = await load().catch(() => null)
    if (actions) return run(actions)
    const description = navigator.onLine ? 'Try again in a moment.' : NO_CONNECTION
    showToast({ kind: 'error', title: REQUEST_FAILED, description })
  }
}
