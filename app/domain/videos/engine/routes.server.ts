import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import type { VideoProvider } from '~/platform/providers/port'
import type { Deps } from '../../context'
import { FIRST_PROVIDER, readRoute, targetOf, type ProviderState } from '../../route'
import { allProviders, boundTo, namedProviders } from '../../providers.server'
import { dispatchAfter } from '../line.server'
import { closeGate } from './close-gate.server'
import type { Gate } from './dispatch-plan'
import { GATE_OPENED, IS_CLOSED, linesOf, serviceOf } from './gates.server'
import type { LineState } from './next-in-line.server'
import { ACCOUNT_REASONS } from './held.server'

// Which provider gets the next order of a route. It is decided when videos leave the line, so nothing that
// may have been sent can move. docs/architecture.md says more.

/** The routes from which a provider gets orders now. */
export type Turn = {
  provider: VideoProvider
  routes: string[]
  /** Those of them for which it stands in. */
  guests: string[]
  /** Whether its orders go to stand-ins, so that it gets no more than one probe. */
  isProbe: boolean
}

type RouteDeps = Pick<Deps, 'queue' | 'provider' | 'otherProviders' | 'settings' | 'log'>

/** Returns which provider gets the orders of which routes. The probes come first. */
export async function turnsOf(
  deps: RouteDeps,
  tx: Tx,
  { gates, routes: ready }: Pick<LineState, 'gates' | 'routes'>,
): Promise<Turn[]> {
  const { provider, otherProviders } = deps
  if (otherProviders.length === 0) return [{ provider, routes: ready, guests: [], isProbe: false }]
  const providers = [...namedProviders(deps)]
  const { states, released } = await noteStates(deps, tx, gates)
  const routes = [...new Set([...ready, ...released])]
  const isAt = (name: string, route: string) => readRoute(route).provider === name
  const turns = providers.map(([name, provider]) => {
    const own = routes.filter((route) => targetOf(route, states) === name)
    const guests = own.filter((route) =>
      providers.some(([other]) => other !== name && isAt(other, route)),
    )
    return { provider, routes: own, guests, isProbe: false }
  })
  const probes = providers.map(([name, provider]) => {
    const left = routes.filter((route) => isAt(name, route) && targetOf(route, states) !== name)
    return { provider, routes: left, guests: [], isProbe: true }
  })
  return [...probes, ...turns].filter((turn) => turn.routes.length > 0)
}

/** What operators read of a gate that is closed because its provider is not heard of. */
const UNHEARD = 'It answers for none of its orders.'

/**
 * Closes the gates of providers that answer for none of their orders, which may have no room for another
 * whose refusal would close them. As soon as one answers, its gate is open. The dispatch that follows notes
 * since when a provider takes no orders. Returns the state without the gates that are open now.
 */
export async function noteUnheard(deps: RouteDeps, tx: Tx, state: LineState): Promise<LineState> {
  const { gates, loads } = state
  if (deps.otherProviders.length === 0) return state
  const heard: string[] = []
  for (const provider of allProviders(deps)) {
    const load = loads.find(({ kind }) => kind === provider.kind)
    const scope = serviceOf(provider)
    const isClosed = gates.some((gate) => gate.isHalfOpen && linesOf(provider).includes(gate.scope))
    if (load?.isHeard && isClosed) heard.push(scope)
    if (load?.isUnheard && !isClosed)
      await closeGate(boundTo(deps, provider), tx, { scope, reason: 'down', seen: UNHEARD })
  }
  if (heard.length === 0) return state
  const open = await tx.rows<{ scope: string }>(sql`
    delete from provider_gates where scope = any(${heard}::text[]) and reason = 'down'
      and seen = ${UNHEARD} returning scope`)
  if (open.length > 0) await deps.queue.add(tx, [GATE_OPENED])
  return {
    ...state,
    gates: gates.filter((gate) => !open.some(({ scope }) => scope === gate.scope)),
  }
}

/** Tokens that any customer's order may have, and those that can order now. */
const IS_SHARED = sql`removal_id is null and (is_default or pool_position is not null)`
const WORKS = sql`removal_id is null and state <> 'dead' and not exists (
  select 1 from provider_gates where scope = credentials.account and ${IS_CLOSED})`
/** `isOf` for a row. Written out: the check of all statements follows no condition of values and columns. */
const IS_ITS = sql`coalesce(credentials.provider, given.kind) = given.kind
  and coalesce(given.scope, credentials.account_scope) = credentials.account_scope`

type Known = {
  name: string
  wasOut: boolean
  wasAside: boolean
  /** Whether it has taken no orders for as long as stand-ins wait. */
  isLong: boolean
  /** Whether none of its tokens can order: of the shared ones, or, without any, of the customers' own. */
  lacksTokens: boolean
}

type Noted = { states: ProviderState[]; released: string[] }

/**
 * Returns whether each provider takes orders, and keeps since when it does not. If that changes, videos
 * that were held for their provider are looked at again; returns their routes.
 */
async function noteStates(deps: RouteDeps, tx: Tx, gates: readonly Gate[]): Promise<Noted> {
  const providers = namedProviders(deps)
  const known = await readKnown(deps, tx, providers)
  const states = known.map(({ name, wasOut, isLong, lacksTokens }): ProviderState => {
    const provider = providers.get(name)
    const lines = provider ? linesOf(provider) : []
    const isOut = lacksTokens || gates.some((one) => one.isHalfOpen && lines.includes(one.scope))
    return { name, isOut, isAside: isOut && wasOut && isLong }
  })
  const changed = states.filter(({ name, isOut, isAside }) => {
    const before = known.find((one) => one.name === name)
    return isOut !== before?.wasOut || isAside !== before.wasAside
  })
  if (changed.length === 0) return { states, released: [] }
  await writeStates(tx, changed)
  const { queue, settings, log } = deps
  if (changed.some(({ isOut, isAside }) => isOut && !isAside))
    await queue.add(tx, [dispatchAfter(settings.standInAfterMs)])
  for (const { name, isAside } of changed) {
    const wasAside = known.find((one) => one.name === name)?.wasAside
    if (isAside !== wasAside)
      log.warn({ provider: name, isAside }, 'where new orders go has changed')
  }
  return { states, released: await releaseHeld(tx) }
}

const readKnown = (
  { settings }: RouteDeps,
  tx: Tx,
  providers: ReadonlyMap<string, VideoProvider>,
): Promise<Known[]> => {
  const all = [...providers]
  return tx.rows<Known>(sql`
    select given.name, coalesce(out_since is not null, false) as "wasOut",
      coalesce(is_aside, false) as "wasAside",
      coalesce(out_since <= engine_now() - ${settings.standInAfterMs}::float * interval '1 millisecond', false)
        as "isLong",
      needs and not exists (select 1 from credentials where ${IS_ITS} and ${IS_SHARED} and ${WORKS})
        and (exists (select 1 from credentials where ${IS_ITS} and ${IS_SHARED})
          or not exists (select 1 from credentials where ${IS_ITS} and ${WORKS})) as "lacksTokens"
    from unnest(${all.map(([name]) => name)}::text[], ${all.map(([, { kind }]) => kind)}::text[],
        ${all.map(([, { can }]) => can.needsCredential)}::boolean[],
        ${all.map(([, { scope }]) => scope ?? null)}::text[]) as given(name, kind, needs, scope)
      left join provider_settings as known on known.name = given.name`)
}

/** A row that no worker has written yet has no digest of settings. */
const writeStates = (tx: Tx, states: readonly ProviderState[]) =>
  tx.run(sql`
    insert into provider_settings as known (id, name, digest, out_since, is_aside)
    select case when given.name = ${FIRST_PROVIDER} then 1
        else place + greatest(1, (select max(id) from provider_settings)) end,
      given.name, '', case when is_out then engine_now() end, given.is_aside
    from unnest(${states.map(({ name }) => name)}::text[], ${states.map(({ isOut }) => isOut)}::boolean[],
      ${states.map(({ isAside }) => isAside)}::boolean[]) with ordinality as given(name, is_out, is_aside, place)
    on conflict (name) do update set is_aside = excluded.is_aside,
      out_since = case when excluded.out_since is not null then coalesce(known.out_since, excluded.out_since) end`)

/** Why videos are held for a provider, and not for themselves. */
const REASONS: readonly string[] = [...ACCOUNT_REASONS, 'down', 'clips']

/** Makes the videos ready that are held for a provider and have two. Returns their routes. */
async function releaseHeld(tx: Tx): Promise<string[]> {
  const rows = await tx.rows<{ route: string }>(sql`
    update line_entries set state = 'ready', hold_reason = null, wake_at = null
    where video_id in (select video_id from line_entries
      where state = 'held' and route like '% %' and hold_reason = any(${[...REASONS]}::text[])
      for update skip locked) returning route`)
  return rows.map(({ route }) => route)
}
