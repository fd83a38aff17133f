import type { VideoProvider } from '~/platform/providers/port'
import type { Deps } from '../context'
import { providerOfRoute, type Providers } from '../providers.server'
import { FIRST_PROVIDER } from '../route'
import { clipSecondsOf, soldText, USUAL, type Offer } from './offer'

/** Returns what the clips of a provider are like. */
export const offerOf = ({ settings }: Pick<Deps, 'settings'>, provider: VideoProvider): Offer => ({
  model: provider.model,
  seconds: clipSecondsOf(provider, settings.clipSeconds),
  resolution: provider.can.clip?.resolution ?? USUAL.resolution,
  isSilent: provider.can.clip?.isSilent ?? false,
})

/** Says how the clips of a route differ from the usual ones, or null: they do not. */
export const soldTextOf = (deps: Providers & Pick<Deps, 'settings'>, route: string) =>
  soldText(
    offerOf(deps, providerOfRoute(deps, route)),
    offerOf(deps, providerOfRoute(deps, FIRST_PROVIDER)),
  )
