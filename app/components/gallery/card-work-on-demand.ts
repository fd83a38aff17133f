import { REQUEST_FAILED } from '~/lib/call-api'
import { loadEarly } from '../ui/on-demand'
import { showToast } from '../ui/toasts'

type Work = Awaited<ReturnType<typeof load>>

const load = () => import('./card-work')
loadEarly(load)

/**
 * Does what a button of a card or a gallery is for, with the script that is loaded for it. If that
 * cannot be loaded, the page stays as it is and a toast says so.
 */
export async function withCardWork(run: (work: Work) => Promise<void>): Promise<void> {
  const work = await load().catch(() => null)
  if (work) return run(work)
  showToast({ kind: 'error', title: REQUEST_FAILED, description: 'Try again in a moment.' })
}
