import { BATCH_LIMITS, lastRoundAfterMs } from '~/domain/batches/rules'
import type { Plan } from '~/domain/plans/types'
import { remainingClips } from '~/domain/quota/rules'
import { chatLink } from '~/lib/chat-link'
import { figure, plural } from '~/lib/figures'
import { Badge } from '~/components/ui/badge'
import { buttonClass } from '~/components/ui/button'
import { usePublicData } from '~/components/public/use-public-data'
import { Icon } from '~/components/ui/icon'

/** `offer`: how its videos differ from the usual ones. */
type Card = Omit<Plan, 'route'> & { offer: string | null }

/** A plan with its price and figures, and a chat link with a prepared order. */
export function PlanCard({ plan }: { plan: Card }) {
  const { contacts, product, username } = usePublicData()
  const { name, rupees, dollars, videosPerDay, pace, support, popular, extras, devices } = plan
  const { clipUnits, offer } = plan
  const lines = [
    `${plural(videosPerDay, 'video')} per day`,
    ...(clipUnits === 1
      ? []
      : [`Each video counts as ${figure(clipUnits)}, so ${figure(inVideos(plan))} a day`]),
    `Speed: ${plural(pace.videos, 'video')} per round`,
    `Delay: ${pace.delaySeconds} seconds between rounds`,
    batchTime(plan),
    ...(offer === null ? [] : [offer]),
    `${support} support`,
    ...(devices === null ? [] : [`Signed in on ${plural(devices, 'device')} at once`]),
    ...extras,
  ]
  const order = `Hello, I would like to buy the ${product} ${name} plan: ${plural(videosPerDay, 'video')} per day for ${figure(rupees)} rupees ($${figure(dollars)}) per month.`
  const from = username === null ? '' : ` My account is ${username}.`
  return (
    <article
      aria-label={name}
      className={`relative flex flex-col rounded-lg border bg-surface p-5 tiny:p-3 ${popular ? 'border-accent ring-1 ring-accent' : 'border-line'}`}
    >
      <div className="flex min-h-6 items-center justify-between gap-2">
        <h2 className="text-base font-semibold">{name}</h2>
        {popular && <Badge tone="accent">Popular</Badge>}
      </div>
      <p className="mt-3">
        <span className="text-2xl font-bold tabular-nums">{figure(rupees)}</span>{' '}
        <span className="font-medium">rupees</span>{' '}
        <span className="block text-sm text-soft">(${figure(dollars)}) per month</span>
      </p>
      <ul className="mb-6 mt-4 space-y-2 text-sm tabular-nums">
        {lines.map((line) => (
          <li key={line} className="flex gap-2 [overflow-wrap:anywhere]">
            <Icon name="check" className="mt-0.5 size-4 shrink-0 text-good" />
            {line}
          </li>
        ))}
      </ul>
      <a
        href={chatLink(contacts.chatNumber, order + from)}
        rel="noreferrer"
        aria-label={`Buy Now: ${name}`}
        className={buttonClass(popular ? 'primary' : 'plain', 'mt-auto')}
      >
        Buy Now
      </a>
    </article>
  )
}

/** How many whole videos a day has. */
const inVideos = ({ videosPerDay, clipUnits }: Card): number =>
  remainingClips(videosPerDay, clipUnits)

/** Says how long a large batch takes at the plan's speed. */
function batchTime(plan: Card): string {
  const { pace } = plan
  const waiting = Math.min(BATCH_LIMITS.prompts, inVideos(plan))
  const rounds = { waiting, speedLimit: pace.videos, delaySeconds: pace.delaySeconds }
  const minutes = Math.ceil(lastRoundAfterMs(rounds) / 60_000)
  return `${plural(waiting, 'video')} in about ${plural(minutes, 'minute')}`
}
