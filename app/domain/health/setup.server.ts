import sql from 'sql-template-tag'
import { getBusiness, shownMethods } from '../business/settings.server'
import { plural } from '~/lib/figures'
import { seconds } from '~/lib/time'
import { runningTimeout } from '~/lib/running-time'
import type { VideoProvider } from '~/platform/providers/port'
import type { Deps } from '../context'
import type { SoldBreakEven } from '../payments/break-even'
import { absentIn } from '../route'
import { allProviders, namedProviders } from '../providers.server'
import { getPoolSummary } from '../tokens/pool-health.server'
import { onBackups, onCopy } from './backup-findings'
import { listGates } from './providers.server'
import { alarmFacts, getBackups } from './status.server'
import { setupSteps, type SetupFacts, type SetupStep } from './setup'

type Looks = Pick<
  Deps,
  'db' | 'provider' | 'otherProviders' | 'readBackups' | 'settings' | 'mail' | 'telegram' | 'texts'
>

/** How long the page waits for the provider and the text service. */
const PROVIDER_MS = seconds(5)

/**
 * Returns what an operator has to set up before selling, and what of it is done. `breakEvens` are read by
 * the page that shows them: they cost a look at all accounts.
 */
export async function getSetup(
  deps: Looks,
  breakEvens: readonly SoldBreakEven[] = [],
): Promise<SetupStep[]> {
  const { settings, provider } = deps
  const [business, pool, others, absent, backups, asked, texts, row] = await Promise.all([
    getBusiness(deps),
    getPoolSummary(deps),
    Promise.all(deps.otherProviders.map((other) => getPoolSummary({ ...deps, provider: other }))),
    absentProviders(deps),
    getBackups(deps),
    askedProviders(deps),
    textsOf(deps),
    deps.db.one<Pick<SetupFacts, 'adminsWithoutSecondFactor' | 'hasDelivered'>>(sql`
      select (select count(*)::int from users where role = 'admin' and is_active and deleted_at is null
          and not exists (select 1 from second_factors
            where user_id = users.id and confirmed_at is not null)) as "adminsWithoutSecondFactor",
        exists (select 1 from end_counts where delivered > 0) as "hasDelivered"`),
  ])
  return setupSteps({
    ...row,
    waysToPay: shownMethods(business.payment).map(({ name }) => name),
    chatNumber: business.contacts.chatNumber,
    email: business.contacts.email,
    marked: business.setup.marked,
    productName: settings.productName,
    address: settings.appUrl,
    timeZone: settings.timeZone,
    phoneCountries: settings.phoneCountries,
    backups: backups && { made: onBackups({ backups }), copy: onCopy({ backups }) },
    arePricesChanged: business.isChanged.plans,
    losses: breakEvens.filter(({ loses }) => loses).map(({ text }) => text),
    alarms: alarmFacts(deps, business.alarms),
    provider: provider.kind,
    asked,
    texts,
    tokens: pool.ok + Number(pool.hasDefault),
    needsToken: pool.needsCredential,
    others: deps.otherProviders.map(({ kind }, i) => ({
      provider: kind,
      tokens: (others[i]?.ok ?? 0) + Number(others[i]?.hasDefault ?? false),
      needsToken: others[i]?.needsCredential ?? false,
    })),
    absent,
  })
}

/** Asks the providers that can say what is missing for orders. Of others their refusals say it. */
const askedProviders = async (deps: Looks): Promise<SetupFacts['asked']> => {
  const asked = allProviders(deps).map(async (provider) => {
    const said = await provider.problems?.(runningTimeout(PROVIDER_MS))
    const problems = said ?? (await modelProblems(deps, provider))
    return problems ? [{ provider: provider.kind, problems }] : []
  })
  return (await Promise.all(asked)).flat()
}

/** Returns that a provider refuses orders because of their model. Null: it does not. */
async function modelProblems(deps: Looks, provider: VideoProvider): Promise<string[] | null> {
  const gates = await listGates(deps, provider)
  const isGone = gates.some(({ reason }) => reason === 'model-gone')
  return isGone ? [`It does not offer the model ${provider.model}: name another one`] : null
}

async function textsOf({ texts }: Looks): Promise<SetupFacts['texts']> {
  if (texts === null)
    return { isDone: true, text: 'None is set: prompts are not translated or improved.' }
  const problem = await texts.problem(runningTimeout(PROVIDER_MS))
  const answers = 'It answers. Users can have prompts translated and improved.'
  return { isDone: problem === null, text: problem ?? answers }
}

/** Says which providers plans and accounts name that are not set up. */
async function absentProviders(deps: Looks): Promise<string[]> {
  const names = [...namedProviders(deps).keys()]
  const rows = await deps.db.rows<{ route: string; plan: string | null; accounts: number }>(sql`
    select route_of_plan(plan) as route, plan::text, 0 as accounts
    from unnest(enum_range(null::plan_name)) as plan
    union all
    select route, null, count(*)::int from users
    where route <> 'first' and deleted_at is null group by route`)
  return rows.flatMap(({ route, plan, accounts }) => {
    const who = plan ?? plural(accounts, 'account')
    const missing = absentIn(route, names)
    return missing.length === 0 ? [] : [`${who}: ${missing.join(' and ')} is not set up.`]
  })
}
