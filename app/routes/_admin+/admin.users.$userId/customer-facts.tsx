import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { STATE_TEXTS } from '~/domain/accounts/referrals'
import type { CustomerView } from '~/domain/administration/customers/customer-page.server'
import type { DeskRow } from '~/domain/administration/customers/desk.server'
import { paceText } from '~/domain/batches/rules'
import { moneyText } from '~/domain/payments/money'
import { stateText } from '~/domain/tokens/desk-rules'
import { paths } from '~/lib/paths'
import { countsAs } from '~/domain/quota/rules'
import { figure } from '~/lib/figures'
import { dayTimeAndZone, shortDay } from '~/lib/time'
import { ActionForm } from '~/components/ui/action-form'
import { Badge } from '~/components/ui/badge'
import { ButtonLink } from '~/components/ui/button'
import { Card } from '~/components/ui/card'
import { DialogLink } from '~/components/ui/dialog-link'
import { UserLink } from '~/components/admin/user-link'
import { Icon } from '~/components/ui/icon'
import { SubmitButton } from '~/components/ui/submit-button'
import { usePlatformZone } from '~/components/ui/use-root-data'
import { PageTitle } from '~/components/admin/page-header'
import { ACT_NAMES, type SoldAct } from '~/domain/administration/changes/sold-acts'
import { LatePaymentLink } from '~/components/admin/payments/late-payment'
import { methodName } from '~/components/admin/payments/payment-table'
import { RenewButtons } from '~/components/admin/customers/renew-buttons'
import { DaysBadge } from '~/components/admin/customers/renewals-table'
import { UnlockForm } from '~/components/admin/users/unlock-form'

/** The customer's name and state, and what can be done. */
export function CustomerHeader({ user }: { user: DeskRow }) {
  const { id, username, isActive, hasPassword, role } = user
  return (
    <header className="flex flex-wrap items-center justify-between gap-3">
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <PageTitle>{username}</PageTitle>
        <Badge tone={isActive ? 'good' : 'bad'}>{isActive ? 'Active' : 'Inactive'}</Badge>
        {role !== 'user' && <Badge tone="accent">{role === 'admin' ? 'Admin' : 'Editor'}</Badge>}
        {!hasPassword && <Badge tone="warn">No password</Badge>}
      </div>
      <div className="flex flex-wrap gap-2">
        <DialogLink dialog="edit" on={id}>
          <Icon name="pencil" className="size-4" /> Edit
        </DialogLink>
        {!hasPassword && isActive && (
          <ActionForm intent="password-link" preventScrollReset>
            <input type="hidden" name="id" value={id} />
            <SubmitButton intent="password-link" look="plain">
              <Icon name="key-round" className="size-4" /> Set-password link
            </SubmitButton>
          </ActionForm>
        )}
        <DialogLink dialog="reset" on={id}>
          <Icon name="rotate-ccw" className="size-4" /> Reset counter
        </DialogLink>
        <ButtonLink to={`${paths.admin.videos}?user=${id}`} look="plain">
          <Icon name="film" className="size-4" /> All their videos
        </ButtonLink>
        <DialogLink dialog="delete" on={id}>
          <Icon name="trash-2" className="size-4" /> Delete
        </DialogLink>
      </div>
    </header>
  )
}

/** What was sold, what is used of it, and with which key. */
export function CustomerFacts({ customer }: { customer: CustomerView }) {
  const { user, quota, hasSecondFactor, failedSignIns, unpaid } = customer
  const timeZone = usePlatformZone()
  const { id, phone, email, plan, expiryDate, lastPayment, lastOrderAt, createdAt } = user
  const pace = { speedLimit: user.speedLimit, delaySeconds: user.videoGenerationSpeed }
  const facts: [string, ReactNode][] = [
    ['Phone', phone ?? '–'],
    ['E-mail', email ?? '–'],
    [
      'Plan',
      [
        plan ?? 'No plan',
        `${figure(user.videoLimit)} a day`,
        countsAs(quota.clipUnits),
        paceText(pace),
      ]
        .filter((part) => part !== '')
        .join(', '),
    ],
    [
      'Ends',
      <>
        {expiryDate === null ? 'Never' : dayTimeAndZone(expiryDate, timeZone)}{' '}
        <DaysBadge daysLeft={user.daysLeft} />
      </>,
    ],
    ['Renew until', user.role === 'admin' ? '–' : <RenewButtons user={user} />],
    [
      'Today',
      `${figure(quota.used)} of ${figure(quota.limit)} used, ${figure(quota.inProgress)} in progress`,
    ],
    ['This month', `${figure(quota.usedThisMonth)} used`],
    [
      'Last payment',
      lastPayment === null
        ? 'None recorded'
        : `${moneyText(lastPayment)} for ${lastPayment.plan}, ${shortDay(lastPayment.receivedAt, timeZone)} (${methodName(lastPayment.method)})`,
    ],
    ...(unpaid.length === 0 ? [] : [unpaidFact(unpaid, timeZone)]),
    ['Last order', lastOrderAt === null ? 'None' : dayTimeAndZone(lastOrderAt, timeZone)],
    ['Token', keyText(customer)],
    ['Two-step sign-in', hasSecondFactor ? 'On' : 'Off'],
    ['Devices this week', <Devices key="devices" {...customer.devices} />],
    ...referralFacts(customer.referrals),
    ['Since', shortDay(createdAt, timeZone)],
  ]
  return (
    <Card title="Account">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm tiny:grid-cols-1">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-soft">{name}</dt>
            <dd className="min-w-0 break-words tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {failedSignIns > 0 && <UnlockForm id={id} failed={failedSignIns} />}
    </Card>
  )
}

/** Who invited the customer, and whom they invited, if anybody. */
const referralFacts = ({
  by,
  invited,
  rewarded,
}: CustomerView['referrals']): [string, ReactNode][] => [
  ...(by === null
    ? []
    : ([
        [
          'Invited by',
          <span key="by">
            {by.username === null ? (
              'A deleted account'
            ) : (
              <UserLink id={by.id} username={by.username} />
            )}
            {`: ${STATE_TEXTS[by.state]} `}
            {by.changeId !== null && (
              <Link to={paths.admin.change(by.changeId)} className="underline">
                Change
              </Link>
            )}
          </span>,
        ],
      ] satisfies [string, ReactNode][])),
  ...(invited === 0
    ? []
    : ([['Has invited', `${figure(invited)}, ${figure(rewarded)} rewarded`]] satisfies [
        string,
        ReactNode,
      ][])),
]

/** Where the account was used within a week. Many devices may mean that several people share it. */
function Devices({ seen, isMany }: CustomerView['devices']) {
  const timeZone = usePlatformZone()
  if (seen.length === 0) return 'None'
  return (
    <>
      {isMany && <Badge tone="warn">{`One account, ${figure(seen.length)} devices`}</Badge>}
      <ul className="space-y-1">
        {seen.slice(0, MOST_DEVICES).map(({ name, seenAt }) => (
          <li key={seenAt + name}>
            {name}, {dayTimeAndZone(seenAt, timeZone)}
          </li>
        ))}
        {seen.length > MOST_DEVICES && <li>and {figure(seen.length - MOST_DEVICES)} more</li>}
      </ul>
    </>
  )
}

const MOST_DEVICES = 10

/** What the customer got without a payment or below the price; a missing payment can be recorded. */
const unpaidFact = (unpaid: CustomerView['unpaid'], timeZone: string): [string, ReactNode] => [
  'Not paid',
  <ul key="unpaid" className="space-y-1">
    {unpaid.map((act) => (
      <li key={act.id} className="flex flex-wrap items-center gap-2">
        <span className="text-warn">{actText(act, timeZone)}</span>
        {!act.paid && <LatePaymentLink act={act} />}
      </li>
    ))}
  </ul>,
]

function actText({ kind, plan, at, paid, price }: SoldAct, timeZone: string): string {
  const text = `${ACT_NAMES[kind]} on ${shortDay(at, timeZone)}: ${plan ?? 'no plan'}`
  return paid && price ? `${text}, ${moneyText(paid)} of ${moneyText(price)}` : text
}

function keyText({ key }: CustomerView): string {
  if (key === null) return 'The default token, or the next of the pool'
  const error = key.state === 'ok' || key.lastError === null ? '' : `: ${key.lastError}`
  const state = key.state === 'ok' ? '' : `, ${stateText(key).toLowerCase()}`
  return `${key.name}${state}${error}`
}
