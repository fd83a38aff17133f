import type { ProviderError } from '~/platform/providers/port'
import type { Writer } from './attempts.server'
import type { EngineCtx, LeasedAttempt } from './context'

/** What was asked of the provider. `job`: it reports how an order ended. */
export type Phase = 'submit' | 'poll' | 'fetch' | 'job'

/** A fault that an attempt met. */
export type Incident = {
  attempt: LeasedAttempt & Writer
  phase: Phase
  error: Pick<ProviderError, 'fault' | 'acceptance' | 'evidence'>
}

/** Returns a pause in the time of the provider, which tests shorten. */
export const scaled = ({ settings }: Pick<EngineCtx, 'settings'>, ms: number): number =>
  ms * settings.providerTimeScale
