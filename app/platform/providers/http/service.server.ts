import type { ProviderIo, ServiceConfig, Stoppable } from '../io'
import {
  ProviderError,
  type Acceptance,
  type AssetRef,
  type Capabilities,
  type Credential,
  type FetchInto,
  type FindResult,
  type FinishedOrder,
  type OrderRef,
  type LostOrder,
  type PollResult,
  type SubmitCall,
  type VideoProvider,
  type VideoRequest,
} from '../port'
import { urlsOf } from '../reading/clip-addresses'
import { checkAddress, type AddressPolicy } from './address.server'
import type { Purpose } from './ask.server'
import { bearerScope } from './scope'
import type { Wire } from './wire.server'

/** A call of a service: its purpose, its credential and when to give it up. */
export type Call = Purpose & { credential: Credential; signal: AbortSignal }
/** A call that places no order. */
export type Inquiry = Exclude<Call, { step: 'submit' }>
/** The call that places an order. */
export type Order = SubmitCall & { step: 'submit'; credential: Credential }
/** Where a clip is written, and the credential with which it is fetched. */
export type Target = { credential: Credential; into: FetchInto }

/** What the steps of an adapter need. Adapters add their own fields. */
export type ServiceContext = { config: ServiceConfig; io: ProviderIo; wire: Wire }

/** The steps of `VideoProvider` as an adapter writes them. */
type Steps<Context> = {
  submit(context: Context, request: VideoRequest, order: Order): Promise<OrderRef>
  poll(context: Context, ref: OrderRef, call: Inquiry): Promise<PollResult>
  fetch(context: Context, job: FinishedOrder, target: Target): Promise<{ bytes: number }>
  /** Null if the service cannot look for an order. */
  find: ((context: Context, lost: LostOrder, call: Inquiry) => Promise<FindResult>) | null
  /** Absent if orders cannot be withdrawn. */
  withdraw?: ((context: Context, ref: OrderRef, call: Inquiry) => Promise<boolean>) | undefined
  /** Null if the service needs no credential. */
  check: ((context: Context, call: Inquiry) => Promise<void>) | null
}

/** The capabilities that an adapter states. The others come from the configuration. */
export type Traits = Pick<
  Capabilities,
  | 'durations'
  | 'texts'
  | 'recover'
  | 'ordersAgain'
  | 'clipsKeptMs'
  | 'sharesOrders'
  | 'takesPictures'
  | 'takesEndPictures'
  | 'atOnce'
  | 'clip'
> &
  Partial<Pick<Capabilities, 'needsCredential' | 'deadlineFrom'>>

type Service<Context> = Pick<VideoProvider, 'kind' | 'scope' | 'scopeOf'> & {
  can: Traits
  steps: Steps<Context>
}

/**
 * Creates the provider of a remote service. Before every call it checks that the credential belongs to
 * the service, and to the account in which the order was placed, because orders exist only there.
 * Otherwise it rejects with ProviderError `unauthorized`, and the credential is not sent.
 */
export function serviceProvider<Context extends ServiceContext>(
  context: Context,
  { steps, can, ...service }: Service<Context>,
): VideoProvider & Stoppable {
  const { find, check, withdraw } = steps
  const { model, deadlineMs, expectedMs, submitsPerMinute, maxInFlight } = context.config
  const limits = { deadlineMs, expectedMs, submitsPerMinute, maxInFlight }
  const { scope } = service
  return {
    ...(scope !== undefined && { scopeOf: (text: string) => bearerScope(text, scope) }),
    ...service,
    model,
    can: { needsCredential: true, deadlineFrom: 'order', ...can, ...limits },
    submit: async (request, credential, call) => {
      sameScope([scope, credential.accountScope], 'not-sent')
      return steps.submit(context, request, { ...call, step: 'submit', credential })
    },
    poll: async (ref, credential, signal) => {
      sameScope([scope, ref.accountScope, credential.accountScope])
      return steps.poll(context, ref, { step: 'poll', credential, signal })
    },
    fetch: async (job, credential, into) => {
      sameScope([scope, job.ref.accountScope, credential.accountScope])
      return steps.fetch(context, job, { credential, into })
    },
    ...(find !== null && {
      find: async (lost: LostOrder, credential: Credential, signal: AbortSignal) => {
        sameScope([scope, lost.accountScope, credential.accountScope], 'not-sent')
        return find(context, lost, { step: 'find', credential, signal })
      },
    }),
    ...(withdraw && {
      withdraw: async (ref: OrderRef, credential: Credential, signal: AbortSignal) => {
        sameScope([scope, ref.accountScope, credential.accountScope])
        return withdraw(context, ref, { step: 'poll', credential, signal })
      },
    }),
    ...(check !== null && {
      check: async (credential: Credential, signal: AbortSignal) => {
        sameScope([scope, credential.accountScope], 'not-sent')
        return check(context, { step: 'check', credential, signal })
      },
    }),
    stop: () => context.wire.close(),
  }
}

/** A clip at an address. */
export type UrlAsset = Extract<AssetRef, { at: 'url' }>

/**
 * Returns the clips that an answer names. Where their addresses expire, another poll returns fresh ones.
 * The operator reads in the log which host has to be trusted before they can be fetched.
 */
export function namedClips(
  { config, io }: ServiceContext,
  clips: readonly string[],
  { policy, auth }: { policy: AddressPolicy } & Pick<UrlAsset, 'auth'>,
): UrlAsset[] {
  const urls = urlsOf(clips, config.baseUrl)
  for (const { host } of urls.filter((url) => !checkAddress(url, policy).ok)) {
    io.note({ host }, 'a clip is on a host that is not in VIDEO_PROVIDER_ASSET_HOSTS')
  }
  return urls.map(({ href }) => ({ at: 'url', url: href, auth }))
}

/** Throws unless the service, the order and the token have one scope, as far as they have any. */
function sameScope(scopes: (string | undefined)[], acceptance: Acceptance = 'accepted'): void {
  const different = [...new Set(scopes.filter((scope) => scope !== undefined))]
  if (different.length < 2) return
  const message = `the service, the order and the token are not of one account: ${different.join(', ')}`
  throw new ProviderError({ kind: 'unauthorized' }, acceptance, { message })
}
