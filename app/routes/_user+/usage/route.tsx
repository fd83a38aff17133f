import { json, redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import { stackBars } from '~/components/charts/stack-bars.server'
import { CarriedNote } from '~/components/batches/waiting-notes'
import { InviteCard } from './invite-card'
import { PlanFacts } from './plan-facts'
import { LedgerList, ResetList } from './ledger-list'
import { UsageChart } from './usage-chart'
import { ButtonLink } from '~/components/ui/button'
import { Card } from '~/components/ui/card'
import { ClockTime } from '~/components/ui/clock-time'
import { EmptyState } from '~/components/ui/empty-state'
import { PageBar } from '~/components/ui/page-bar'
import { StatCards } from '~/components/ui/stat-cards'
import { textLinkClass } from '~/components/ui/text-link'
import { usePlatformZone } from '~/components/ui/use-root-data'
import { isExpired, mayUseApi } from '~/domain/accounts/rules'
import { readBrought } from '~/domain/accounts/referrals.server'
import { listCarrying } from '~/domain/batches/batch-list.server'
import { readSetting } from '~/domain/business/settings.server'
import { LEDGER_PAGE, readLedger } from '~/domain/quota/ledger.server'
import { getQuota } from '~/domain/quota/queries.server'
import { readUsageDays } from '~/domain/quota/usage-days.server'
import { requireUser } from '~/http/session/guards.server'
import { dayAfter, readDay } from '~/lib/day'
import { dayInWords, dayAndMonth } from '~/lib/time'
import { pageWindow } from '~/lib/page-window'
import { paths } from '~/lib/paths'
import { figure } from '~/lib/figures'
import { pageMeta } from '~/lib/title'
import type { Column } from '~/components/charts/types'

export const meta: MetaFunction = () => pageMeta('Usage')

/** Days of the chart. */
const CHART_DAYS = 30

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, account, now } = requireUser({ request, context })
  const search = new URL(request.url).searchParams
  const typed = search.get('page') ?? ''
  const page = /^[1-9]\d{0,5}$/.test(typed) ? Number(typed) : 1
  const { timeZone } = ctx.settings
  const [quota, ledger, days, carrying, terms] = await Promise.all([
    getQuota(ctx.db, { userId: account.id, limit: account.videoLimit, timeZone }),
    readLedger(ctx, { day: readDay(search.get('day')), page }),
    readUsageDays(ctx, CHART_DAYS),
    listCarrying(ctx),
    account.role === 'user' ? readSetting(ctx.db, 'referral') : null,
  ])
  const totalPages = Math.max(1, Math.ceil(ledger.lineCount / LEDGER_PAGE))
  if (page > totalPages) throw redirect(pageAddress(ledger.day, totalPages))
  const { plan, videoLimit, speedLimit, videoGenerationSpeed: delaySeconds, expiryDate } = account
  const facts = {
    plan,
    videosPerDay: videoLimit,
    clipUnits: account.clipUnits,
    speedLimit,
    delaySeconds,
    expiryDate: expiryDate?.toISOString() ?? null,
    isExpired: isExpired(expiryDate, now),
    hasApi: mayUseApi(account),
  }
  const invite = terms && {
    link: new URL(paths.invite(account.id), ctx.settings.appUrl).href,
    terms,
    brought: await readBrought(ctx),
    isEndless: terms.unit === 'days' && plan !== null && expiryDate === null,
  }
  const drawing = stackBars(usageColumns(days))
  return json({ quota, ledger, drawing, facts, page, totalPages, carrying, invite, now })
}

const pageAddress = (day: string, page: number): string => `${paths.usageOf(day)}&page=${page}`

export { shouldRevalidate } from '~/components/ui/page-forms'

export default function UsagePage() {
  const { quota, ledger, drawing, facts, page, totalPages, carrying, invite, now } =
    useLoaderData<typeof loader>()
  const { day, today, reserved, charged, returned, lines, resets } = ledger
  const timeZone = usePlatformZone()
  // An administrator's gift for today is not part of the plan and does not count for its month.
  const gifted = quota.limit - facts.videosPerDay
  const stats = [
    { label: 'Used', value: reserved + charged },
    { label: 'Charged', value: charged, hint: 'delivered' },
    { label: 'Reserved', value: reserved, hint: 'in progress' },
    { label: 'Returned', value: returned, hint: 'failed or cancelled' },
  ]
  return (
    <div className="space-y-6">
      <h1 className="text-xl font-semibold sm:text-2xl">Usage</h1>
      <Card title="Today and this month">
        <ul className="space-y-1 text-sm tabular-nums">
          <li>
            {figure(quota.used)} of {figure(quota.limit)} videos used today,{' '}
            {figure(quota.remaining)} remaining.
          </li>
          <li>
            {figure(quota.usedThisMonth)} of {figure(facts.videosPerDay * quota.daysInMonth)} videos
            used this month.
          </li>
          {gifted > 0 && (
            <li>
              {figure(gifted)} of today’s {figure(quota.limit)} videos are extra, for today only.
            </li>
          )}
          {carrying.map(({ id, name, carried, isPaused }) => (
            <li key={id}>
              <Link
                to={paths.batchPage(id)}
                className={`${textLinkClass} [overflow-wrap:anywhere]`}
              >
                <bdi>{name}</bdi>
              </Link>{' '}
              will use quota of the next days.{' '}
              <CarriedNote carried={carried} isPaused={isPaused} now={new Date(now)} />
            </li>
          ))}
          <li className="text-soft">
            Your daily count resets at <ClockTime instant={quota.resetsAt} />.
          </li>
        </ul>
      </Card>
      <UsageChart drawing={drawing} />
      <PlanFacts facts={facts} />
      {invite && <InviteCard invite={invite} />}
      <section aria-labelledby="ledger" className="space-y-4">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2 id="ledger" className="text-lg font-semibold">
            {day === today ? `Today, ${dayInWords(day)}` : dayInWords(day)}
          </h2>
          <DayLinks day={day} today={today} />
        </div>
        <p className="text-sm text-soft">Days and times are {timeZone}.</p>
        <StatCards label={`Videos of ${dayInWords(day)}`} stats={stats} />
        {resets.length > 0 && <ResetList resets={resets} />}
        {lines.length === 0 ? (
          <EmptyState
            text={
              charged + returned > 0
                ? 'The single videos of this day are not listed any more. Its figures stay.'
                : 'No videos were started on this day.'
            }
          >
            {day === today && <ButtonLink to={paths.app}>Generate Video</ButtonLink>}
          </EmptyState>
        ) : (
          <LedgerList lines={lines} day={dayInWords(day)} />
        )}
        <PageBar
          page={page}
          totalPages={totalPages}
          items={pageWindow(page, totalPages)}
          hrefOf={(number) => pageAddress(day, number)}
        />
      </section>
    </div>
  )
}

function DayLinks({ day, today }: { day: string; today: string }) {
  return (
    <nav aria-label="Days" className="flex gap-4 text-sm">
      <Link to={paths.usageOf(dayAfter(day, -1))} className={textLinkClass}>
        Day before
      </Link>
      {day < today && (
        <Link to={paths.usageOf(dayAfter(day))} className={textLinkClass}>
          Day after
        </Link>
      )}
      {day !== today && (
        <Link to={paths.usage} className={textLinkClass}>
          Today
        </Link>
      )}
    </nav>
  )
}

type Day = { day: string; charged: number; returned: number }

/** From one label to the next. Narrower steps have no room on a phone. */
const LABEL_EVERY = 7

/** Returns the bars of the days, the last of which is today. */
const usageColumns = (days: readonly Day[]): Column[] =>
  days.map(({ day, charged, returned }, index) => {
    const ago = days.length - 1 - index
    const isCurrent = ago === 0
    return {
      name: isCurrent ? `Today, ${dayInWords(day)}` : dayInWords(day),
      label: isCurrent ? 'Today' : ago % LABEL_EVERY === 0 ? dayAndMonth(day) : undefined,
      values: [charged, returned],
      isCurrent,
      to: paths.usageOf(day),
    }
  })
