import { json, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { PageHeader } from '~/components/admin/page-header'
import { stackBars } from '~/components/charts/stack-bars.server'
import { marginColumns, overviewColumns, salesColumns } from '~/components/overview/columns'
import { HeldReasons, NowCards, UnitCards } from './now-cards'
import {
  CostChart,
  LineChart,
  MarginChart,
  OnlineChart,
  OutcomeChart,
  OverviewCard,
  SalesCharts,
  TimesChart,
  UnitsChart,
} from '~/components/overview/overview-cards'
import { Badge } from '~/components/ui/badge'
import { usePlatformZone } from '~/components/ui/use-root-data'
import { getOverview } from '~/domain/administration/overview/overview.server'
import type { ProviderUse } from '~/domain/administration/overview/overview.server'
import type { SoldBreakEven } from '~/domain/payments/break-even'
import { requireAdmin } from '~/http/session/guards.server'
import { figure, plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('Overview')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  const overview = await getOverview(ctx)
  const { summary, units, held, pool, sales, breakEvens, failedNow, uses } = overview
  const columns = overviewColumns(overview, ctx.settings.timeZone)
  const drawings = {
    hours: stackBars(columns.hours),
    days: stackBars(columns.days),
    times: stackBars(columns.times),
    units: stackBars(columns.units, 'low'),
    line: stackBars(columns.line),
    online: stackBars(columns.online),
    costs: columns.costs && stackBars(columns.costs),
  }
  const { unpaid, currency, weeks } = sales
  const money = {
    unpaid,
    currency,
    income: sumOf(weeks.map(({ income }) => income)),
    cost: sumOf(weeks.map(({ cost }) => cost)),
    sales: salesColumns(sales).map(({ plan, columns }) => ({
      plan,
      drawing: stackBars(columns, 'low'),
    })),
    margin: currency && stackBars(marginColumns(sales)),
  }
  return json({ summary, units, held, pool, breakEvens, failedNow, uses, drawings, money })
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

export { shouldRevalidate } from '~/components/ui/page-forms'

const WAITING = { to: paths.admin.videosIn('pending'), label: 'Videos in progress' }
const PAYMENTS = { to: paths.admin.payments, label: 'Payments' }
const TOKENS = { to: paths.admin.tokens, label: 'Token pool' }

/** How business goes. Every figure leads to what it counts. */
export default function OverviewPage() {
  const { summary, units, held, pool, breakEvens, failedNow, uses, drawings, money } =
    useLoaderData<typeof loader>()
  const failed = {
    to: paths.admin.videosIn('error'),
    label: `${plural(failedNow, 'video')} failed and not made again`,
  }
  const timeZone = usePlatformZone()
  return (
    <div className="space-y-6">
      <PageHeader title="Overview" note={`Days and times are ${timeZone}.`} />
      <NowCards summary={summary} pool={pool} />
      <OverviewCard title="Sales and renewals, the last 8 weeks" links={[PAYMENTS]}>
        <SalesCharts sales={money.sales} unpaid={money.unpaid} />
      </OverviewCard>
      <div className="grid grid-cols-1 gap-4 xl:grid-cols-2">
        {money.margin && money.currency && (
          <OverviewCard
            title="Margin, the last 8 weeks"
            links={[PAYMENTS, { to: paths.admin.plans, label: 'Cost of one video' }]}
          >
            <MarginChart
              drawing={money.margin}
              income={money.income}
              cost={money.cost}
              currency={money.currency}
            />
            <BreakEvens plans={breakEvens} />
          </OverviewCard>
        )}
        <OverviewCard title="The last 48 hours" links={[failed]}>
          <OutcomeChart drawing={drawings.hours} unit="hour" />
        </OverviewCard>
        <OverviewCard title="The last 30 days" links={[failed]}>
          <OutcomeChart drawing={drawings.days} unit="day" />
        </OverviewCard>
        <OverviewCard
          title="Speed, the last 24 hours"
          links={[{ to: paths.admin.system, label: 'Orders under way' }]}
        >
          <TimesChart drawing={drawings.times} />
        </OverviewCard>
        <OverviewCard title="Line, the last 24 hours" links={[WAITING]}>
          <LineChart drawing={drawings.line} />
          <HeldReasons held={held} />
        </OverviewCard>
        <OverviewCard
          title="Users online, the last 24 hours"
          links={[{ to: paths.admin.users, label: 'User Management' }]}
        >
          <OnlineChart drawing={drawings.online} />
        </OverviewCard>
        <OverviewCard
          title="Videos used and sold"
          links={[{ to: paths.admin.usersByVideos, label: 'Users by videos of this month' }]}
        >
          <UnitCards units={units} />
          <div className="mt-6">
            <UnitsChart drawing={drawings.units} />
          </div>
        </OverviewCard>
        {drawings.costs && (
          <OverviewCard title="Cost" links={[TOKENS]}>
            <CostChart drawing={drawings.costs} currency={money.currency} />
            <Uses uses={uses} currency={money.currency} />
          </OverviewCard>
        )}
      </div>
    </div>
  )
}

/** From which video on each plan loses money, and whether it does. */
const BreakEvens = ({ plans }: { plans: SoldBreakEven[] }) => (
  <ul className="mt-4 space-y-2 text-sm tabular-nums">
    {plans.map(({ text, loses }) => (
      <li key={text}>
        {loses && (
          <>
            <Badge tone="warn">Loses money</Badge>{' '}
          </>
        )}
        {text}
      </li>
    ))}
  </ul>
)

/** What each provider has delivered in the last 30 days, and what that has cost. */
const Uses = ({ uses, currency }: { uses: ProviderUse[]; currency: string | null }) => (
  <ul className="mt-4 space-y-1 text-sm tabular-nums">
    {uses.map(({ kind, delivered, cost }) => (
      <li key={kind}>
        {`${kind}: ${plural(delivered, 'video')}, ${figure(cost.toFixed(2))} ${currency ?? ''}`}
      </li>
    ))}
  </ul>
)
