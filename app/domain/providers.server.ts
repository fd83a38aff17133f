import { days, minutes } from '~/lib/time'
import { ProviderError, type VideoProvider } from '~/platform/providers/port'
import type { Deps } from './context'

type Providers = Pick<Deps, 'provider' | 'otherProviders'>

/** Returns all providers, the first one first. */
export const allProviders = ({ provider, otherProviders }: Providers): VideoProvider[] => [
  provider,
  ...otherProviders,
]

/**
 * Returns the provider of an order that was stored with this kind. An order stays with its provider, also
 * after another one has become the first. One that is not set up any more is asked nothing.
 */
export function providerOf(deps: Providers, kind: string): VideoProvider {
  const found =
    allProviders(deps).find((provider) => provider.kind === kind) ??
    allProviders(deps).find(({ adapter }) => adapter === kind)
  if (!found) return absentProvider(kind)
  return found.kind === kind ? found : { ...found, kind }
}

/** Returns the kinds of which every token of an account scope can ask about the scope's orders. */
export const sharersOf = (deps: Providers): string[] =>
  allProviders(deps)
    .filter(({ can }) => can.sharesOrders)
    .flatMap(({ kind, adapter }) => [kind, ...(adapter === undefined ? [] : [adapter])])

/**
 * Returns a provider in place of one that has orders and is not set up any more. It asks nobody, so an
 * order waits for its provider until its deadline. Nothing is ordered from it.
 */
function absentProvider(kind: string): VideoProvider {
  const message = `the provider ${kind} is not set up any more: add it to MORE_VIDEO_PROVIDERS`
  return {
    kind,
    model: kind,
    can: {
      durations: [8],
      texts: { negativePrompt: 'none' },
      recover: 'none',
      ordersAgain: false,
      needsCredential: true,
      deadlineMs: days(1),
      deadlineFrom: 'order',
      clipsKeptMs: days(1),
      expectedMs: minutes(1),
    },
    submit: () => Promise.reject(new ProviderError({ kind: 'transient' }, 'not-sent', { message })),
    poll: () => Promise.reject(new ProviderError({ kind: 'transient' }, 'accepted', { message })),
    // Not a transient fault: its host is not down.
    fetch: () =>
      Promise.reject(
        new ProviderError({ kind: 'permanent', reason: 'other' }, 'accepted', { message }),
      ),
  }
}
