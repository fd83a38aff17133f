import { days, minutes } from '~/lib/time'
import { ProviderError, type VideoProvider } from '~/platform/providers/port'
import type { Deps } from './context'
import { AppError } from './errors'
import { FIRST_PROVIDER, targetOf, type Choice } from './route'

export type Providers = Pick<Deps, 'provider' | 'otherProviders'>

/** Returns all providers, the first one first. */
export const allProviders = ({ provider, otherProviders }: Providers): VideoProvider[] => [
  provider,
  ...otherProviders,
]

/** Returns how plans name a provider. Only those of MORE_VIDEO_PROVIDERS have names of their own. */
export const nameOf = ({ kind, adapter }: Pick<VideoProvider, 'kind' | 'adapter'>): string =>
  adapter === undefined ? FIRST_PROVIDER : kind

/** Returns the providers that plans can name, each under its name, the first one first. */
export function namedProviders(deps: Providers): ReadonlyMap<string, VideoProvider> {
  const all = allProviders(deps)
  const first = all.find((provider) => nameOf(provider) === FIRST_PROVIDER) ?? deps.provider
  const others = all.filter((provider) => nameOf(provider) !== FIRST_PROVIDER)
  return new Map([[FIRST_PROVIDER, first], ...others.map((one) => [one.kind, one] as const)])
}

/** Returns the providers that plans can name, to choose from. */
export const choicesOf = (deps: Providers): Choice[] =>
  [...namedProviders(deps)].map(([name, { kind }]) => ({ name, kind }))

/** Returns the provider from which the videos of a route are ordered, unless it takes no orders. */
export function providerOfRoute(deps: Providers, route: string): VideoProvider {
  const named = namedProviders(deps)
  const states = [...named.keys()].map((name) => ({ name, isOut: false, isAside: false }))
  return named.get(targetOf(route, states)) ?? deps.provider
}

/** Returns the dependencies of what concerns one provider: it is the first one there. */
export const boundTo = <D extends Providers>(deps: D, provider: VideoProvider): D => ({
  ...deps,
  provider,
  otherProviders: allProviders(deps).filter(({ kind }) => kind !== provider.kind),
})

/** The same, for the provider that has this name. Throws NOT_FOUND if none has. */
export function boundToNamed<D extends Providers>(deps: D, name: string): D {
  const provider = namedProviders(deps).get(name)
  if (!provider) throw new AppError('NOT_FOUND', `No provider is called ${name}`)
  return boundTo(deps, provider)
}

/**
 * Returns the provider of an order or token that was stored with this kind and account scope. An order stays
 * with its provider, also after another one has become the first. One that is not set up any more, or has
 * another address now, is asked nothing.
 */
export const providerOf = (deps: Providers, kind: string, accountScope: string): VideoProvider =>
  findProviderOf(deps, kind, accountScope) ?? absentProvider(kind)

/** Returns the provider of an order or token (`providerOf`), or undefined if it is not set up. */
export function findProviderOf(
  deps: Providers,
  kind: string,
  accountScope: string,
): VideoProvider | undefined {
  const all = allProviders(deps)
  const here = all.filter(({ scope = accountScope }) => scope === accountScope)
  const found =
    here.find((provider) => provider.kind === kind) ?? here.find(({ adapter }) => adapter === kind)
  // Its orders count with their stored kind, unless that is another provider's now, with gates of its own.
  const isTaken = all.some((provider) => provider.kind === kind)
  return found && (isTaken ? found : { ...found, kind })
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
      // It is asked without one: a token that is missing would end the order sooner.
      needsCredential: false,
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
