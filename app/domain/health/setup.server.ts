import sql from 'sql-template-tag'
import { seconds } from '~/lib/time'
import { limited } from '~/platform/storage/limits'
import { getBusiness, shownMethods } from '../business/settings.server'
import type { Deps } from '../context'
import { getPoolSummary } from '../tokens/pool-health.server'
import { setupSteps, type SetupFacts, type SetupStep } from './setup'

type Looks = Pick<Deps, 'db' | 'provider' | 'readBackups' | 'settings'>

/** How long the folder of the backups may take, which may be on a network disk that hangs. */
const FOLDER_MS = seconds(3)

/** Returns what an operator has to set up before selling, and what of it is done. */
export async function getSetup(deps: Looks): Promise<SetupStep[]> {
  const { settings, provider } = deps
  const [business, pool, backups, row] = await Promise.all([
    getBusiness(deps),
    getPoolSummary(deps),
    stateOfBackups(deps),
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
    backups,
    provider: provider.kind,
    tokens: pool.ok + Number(pool.hasDefault),
    needsToken: pool.needsCredential,
  })
}

async function stateOfBackups({ readBackups }: Looks): Promise<SetupFacts['backups']> {
  if (readBackups === null) return 'off'
  const state = await limited(FOLDER_MS, readBackups).catch(() => null)
  return state?.newest ? 'made' : 'none'
}
