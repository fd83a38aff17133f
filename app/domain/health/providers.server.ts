import sql from 'sql-template-tag'
import type { VideoProvider } from '~/platform/providers/port'
import type { Deps } from '../context'
import { isoText } from '../iso-text.server'
import { getVideoCosts } from '../business/settings.server'
import { costsText } from '../payments/break-even'
import { namedProviders } from '../providers.server'
import { getPoolSummary } from '../tokens/pool-health.server'
import { tokenName } from '../tokens/state.server'
import {
  clipsOf,
  IS_CLOSED,
  IS_LINE,
  linesOf,
  serviceOf,
  STORAGE,
} from '../videos/engine/gates.server'
import type { SystemStatus } from './types'

type Looks = Pick<Deps, 'db' | 'provider' | 'otherProviders'>

/** Returns what is known of the further providers. */
export const getOthers = (deps: Looks): Promise<SystemStatus['others']> =>
  Promise.all(
    deps.otherProviders.map(async (provider) => {
      const { kind, model, can } = provider
      const [gates, pool] = await Promise.all([
        listGates(deps, provider),
        getPoolSummary({ ...deps, provider }),
      ])
      return { kind, model, needsCredential: can.needsCredential, gates, pool }
    }),
  )

type Aside = { name: string; standIns: string[]; strands: boolean; sinceSeconds: number }

/** Returns for which providers others stand in, as plans are sold and as videos wait. */
export async function getAsides(deps: Looks): Promise<SystemStatus['asides']> {
  if (deps.otherProviders.length === 0) return []
  const rows = await deps.db.rows<Aside>(sql`
    with outs as (select name from provider_settings where out_since is not null)
    select name, floor(extract(epoch from engine_now() - out_since))::int as "sinceSeconds",
      array(select distinct split_part(route, ' ', 2) from (
        select route_of_plan(plan) as route from unnest(enum_range(null::plan_name)) as plan
        union select route from line_entries where state <> 'held') as routes
        where route like name || ' %' and split_part(route, ' ', 2) not in (select outs.name from outs)) as "standIns",
      exists (select 1 from line_entries where split_part(route, ' ', 1) in (select outs.name from outs)
        and (route not like '% %' or split_part(route, ' ', 2) in (select outs.name from outs))) as strands
    from provider_settings where is_aside and out_since is not null`)
  const costs = rows.length === 0 ? null : await getVideoCosts(deps.db)
  const named = namedProviders(deps)
  const kindOf = (name: string) => named.get(name)?.kind ?? name
  return rows
    .filter(({ name }) => named.has(name))
    .map(({ name, standIns, strands, sinceSeconds }) => ({
      kind: kindOf(name),
      strands,
      standIns: standIns.map(kindOf),
      sinceSeconds,
      costs: costsText(
        costs,
        [name, ...standIns].map((one) => ({ name: one, kind: kindOf(one) })),
      ),
    }))
}

type Gate = SystemStatus['provider']['gates'][number]

/** Lists what holds orders of a provider: its own gates, and those of its accounts. */
export async function listGates(
  { db, provider: first }: Looks,
  provider: VideoProvider,
): Promise<Gate[]> {
  return db.rows<Gate>(sql`
    select coalesce((select string_agg(${tokenName}, ', ' order by number) from credentials
        where credentials.account = scope and removal_id is null), scope) as scope, reason, seen,
      case scope when ${serviceOf(provider)} then 'service' when ${clipsOf(provider)} then 'clips'
        else 'account' end as kind,
      ${isoText(sql`closed_until`)} as "closedUntil"
    from provider_gates where scope <> ${STORAGE} and (scope = any(${linesOf(provider)}::text[]) or (not ${IS_LINE}
        and coalesce((select credentials.provider from credentials where account = scope limit 1), ${first.kind}) = ${provider.kind}))
      and ${IS_CLOSED} order by closed_until desc limit 50`)
}
