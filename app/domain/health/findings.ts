import { figure, plural } from '~/lib/figures'
import { failureAdvice } from '../videos/failure-advice'
import { causeOf } from '../videos/holds'
import { onBackups, onCopy } from './backup-findings'
import { onAlarms, onPause, onPayment } from './business-findings'
import { bad, GIB, gigabytes, ok, spell, warn, type Verdict } from './verdicts'
import type { Finding, SystemFacts } from './types'

const QUEUE_LATE_SECONDS = 60
const WAIT_LONG_SECONDS = 15 * 60
/** An order is slow after this many seconds plus this multiple of the usual duration. */
const ORDERS_LONG_SECONDS = 60
const ORDERS_LONG_TIMES = 3
const CHECKS_OLD_SECONDS = 5 * 60
const SPACE_LOW_BYTES = 10 * GIB

function onWorkers({ workers }: SystemFacts): Verdict {
  const alive = workers.filter(({ isAlive }) => isAlive)
  if (alive.length === 0) {
    return bad(
      'No worker is running: nothing is being made, but nothing is lost either.',
      'Start one with npm run worker, or restart npm start. Work continues where it stopped.',
    )
  }
  const heartbeat = Math.min(...alive.map(({ silentSeconds }) => silentSeconds))
  return ok(`${plural(alive.length, 'worker')} running, last heartbeat ${spell(heartbeat)} ago.`)
}

function onQueue({ work: { jobsDue, queueAgeSeconds } }: SystemFacts): Verdict {
  if (jobsDue === 0) return ok('Empty: no job is due.')
  const text = `${plural(jobsDue, 'job')} due, the oldest for ${spell(queueAgeSeconds)}.`
  if (queueAgeSeconds < QUEUE_LATE_SECONDS) return ok(text)
  const next = 'If this grows, start another worker or raise WORKER_CONCURRENCY.'
  return queueAgeSeconds > 10 * QUEUE_LATE_SECONDS ? bad(text, next) : warn(text, next)
}

function onLine({ work }: SystemFacts): Verdict {
  const { waiting, held, holdReasons, oldestWaitSeconds, awaitingRounds, underWay } = work
  const rounds = awaitingRounds > 0 ? ` ${figure(awaitingRounds)} more wait for their round.` : ''
  if (waiting === 0) return ok(`None. ${plural(underWay, 'video')} being made.${rounds}`)
  const text =
    `${plural(waiting, 'video')} in the line, the oldest for ${spell(oldestWaitSeconds)}; ` +
    `${figure(underWay)} being made.${rounds}`
  const [reason] = Object.entries(holdReasons).sort((a, b) => b[1] - a[1])
  if (oldestWaitSeconds < WAIT_LONG_SECONDS) return ok(text)
  const why = reason ? `${figure(held)} are held because ${causeOf(reason[0])}. ` : ''
  return warn(text, `${why}See the provider and the tokens below.`)
}

function onOrders({ work, provider: { kind, expectedSeconds } }: SystemFacts): Verdict {
  const { underWay, lost, overdue, overdueSeconds, oldestOrderSeconds, clipsWaiting } = work
  if (underWay + lost === 0) return ok('None.')
  if (overdue > 0) {
    return bad(
      `${plural(overdue, 'order')} overdue; the oldest has been due for ${spell(overdueSeconds)}.`,
      'Check that a worker is running, and read its log. Work resumes on its own; nothing is lost or charged meanwhile.',
    )
  }
  const clips = clipsWaiting > 0 ? ` ${plural(clipsWaiting, 'finished clip')} to be stored.` : ''
  const text = `${plural(underWay + lost, 'order')}, the oldest for ${spell(oldestOrderSeconds)}.${clips}`
  if (oldestOrderSeconds < ORDERS_LONG_SECONDS + ORDERS_LONG_TIMES * expectedSeconds)
    return ok(text)
  const next =
    clipsWaiting > 0
      ? 'The host of the clips or our storage is slow. Finished clips are fetched later; nothing is lost.'
      : `${kind} is slow: an order usually takes ${spell(Math.round(expectedSeconds))}. Nothing is lost.`
  return warn(text, next)
}

function onFailures({ recent: { delivered, failed, refused, reason } }: SystemFacts): Verdict {
  const all = failed + refused
  const of = `${figure(all)} of ${plural(all + delivered, 'video')} of the last hour failed`
  const kinds = refused === 0 ? '' : ` (${refusedText(refused)}, ${figure(failed)} of ours)`
  if (all === 0) return ok(`None in the last hour; ${figure(delivered)} delivered.`)
  if (failed === 0) return ok(`${of}${kinds}.`)
  const most = reason === null ? '' : `; most often: ${failureAdvice(reason).what}`
  const next = 'Their owners got their quota back. Open one of them under Videos to see why.'
  const text = `${of}${kinds}${most}.`
  return failed > delivered ? bad(text, next) : warn(text, next)
}

const refusedText = (refused: number): string => plural(refused, 'refused prompt')

type ProviderGate = SystemFacts['provider']['gates'][number]

/** What the provider answered when a gate was closed, for the end of a finding. */
const said = (gate: ProviderGate | undefined): string =>
  gate?.seen ? ` The answer began: “${gate.seen}”` : ''

/** Whether orders were paid for nothing. The next ones come at long intervals. */
const isForNothing = ({ reason }: ProviderGate): boolean =>
  reason === 'unreadable' || reason === 'no-clips'

function onProvider({ provider: { kind, model, gates }, work: { lost } }: SystemFacts): Verdict {
  const whole = gates.find((gate) => gate.kind === 'service')
  const name = `${kind} (${model})`
  if (whole) {
    const how = isForNothing(whole)
      ? 'It is retried automatically, with one order at a time: eight may be paid for nothing, then one a day. A changed setting of the provider sends one at once.'
      : 'It is retried automatically, with one order at a time.'
    return bad(
      `${name} is closed for all because ${causeOf(whole.reason)}.${said(whole)}`,
      `${how} If it stays closed, look at the provider’s status page, its address in the settings and the tokens.`,
    )
  }
  const clips = gates.find((gate) => gate.kind === 'clips')
  if (clips) {
    return bad(
      `Finished clips of ${name} cannot be downloaded, so nothing new is ordered.${said(clips)}`,
      'The downloads are retried automatically. If they keep failing, look at the provider’s status page, and whether a firewall blocks the address of its files.',
    )
  }
  if (gates.length > 0) {
    // An account that takes money and gives nothing comes first.
    const worst = gates.find(isForNothing)
    const why = worst ? ` One of them because ${causeOf(worst.reason)}.${said(worst)}` : ''
    const text = `${name} works; ${plural(gates.length, 'account')} of it paused.${why}`
    const last = worst ? ' “Try now” beside a token sends one order at once.' : ''
    return warn(text, `Paused accounts reopen on their own. The reasons are below.${last}`)
  }
  if (lost > 0) {
    const text = `${name} works; ${plural(lost, 'order')} without a response, being looked up.`
    return warn(text, 'No action is needed.')
  }
  return ok(`${name} takes orders.`)
}

/** The further providers, in one finding: what is wrong with them, or that nothing is. */
function onOthers(facts: SystemFacts): Verdict | null {
  const { others, provider, work } = facts
  if (others.length === 0) return null
  const verdicts = others.flatMap(({ pool, ...other }) => {
    const its = { ...facts, pool, provider: { ...provider, ...other }, work: { ...work, lost: 0 } }
    const tokens = onTokens(its)
    return [
      onProvider(its),
      ...(other.needsCredential ? [{ ...tokens, text: `${other.kind}: ${tokens.text}` }] : []),
    ]
  })
  const worst =
    verdicts.find(({ level }) => level === 'bad') ?? verdicts.find(({ level }) => level === 'warn')
  return {
    level: worst?.level ?? 'ok',
    next: worst?.next ?? null,
    text: verdicts.map(({ text }) => text).join(' '),
  }
}

function onStandIns({ asides }: SystemFacts): Verdict | null {
  if (asides.length === 0) return null
  const texts = asides.map(({ kind, standIns, sinceSeconds, costs }) =>
    standIns.length > 0
      ? `${kind} has taken no orders for ${spell(sinceSeconds)}: new ones go to ${standIns.join(' and ')}.${costs ? ` ${costs}` : ''}`
      : `${kind} has taken no orders for ${spell(sinceSeconds)}, and no stand-in takes them.`,
  )
  return warn(
    texts.join(' '),
    'They go back as soon as a probe is taken. Videos of plans without a stand-in wait, and those with a picture if it takes none.',
  )
}

function onAnswers({ provider: { kind, strangeWords } }: SystemFacts): Verdict | null {
  if (strangeWords.length === 0) return null
  const words = strangeWords.map((word) => `“${word}”`).join(', ')
  return warn(
    `${kind} gives orders a status that is not known here: ${words}.`,
    'Such orders count as unfinished. Their clips are asked for at 100 % and before their time is over, so nothing finished is lost. Tell the developers the word.',
  )
}

function onOrderIds({ recent: { repeatedIds }, provider: { kind } }: SystemFacts): Verdict | null {
  if (repeatedIds === 0) return null
  return warn(
    `${kind} gave ${plural(repeatedIds, 'order')} of the last hour the id of an earlier order. Each was recorded as possibly paid for and ordered again.`,
    'Its ids seem to have begun again, for example after a restart of the gateway. Have it keep its counter, or use ids that do not repeat.',
  )
}

function onTokens({ pool, provider, alarms }: SystemFacts): Verdict {
  const { total, ok: living, cooling, spent, dead, hasDefault } = pool
  const text = `${figure(living)} of ${plural(total, 'token')} OK, ${figure(cooling)} paused, ${figure(spent)} without credits, ${figure(dead)} dead.`
  if (!provider.needsCredential) return ok(`${text} The provider in use needs none.`)
  if (total === 0 && hasDefault) return ok('The pool is empty. The platform’s own token is used.')
  const next = 'Add tokens to the pool, or assign some to the users.'
  if (total > 0 && living + cooling === 0) return bad(text, next)
  if (living < alarms.fewKeys) return warn(text, next)
  if (spent > 0) return warn(text, 'Add credit to their accounts and press “Try now” beside them.')
  return ok(text)
}

function onStorage({ storage, work: { clipsWaiting } }: SystemFacts): Verdict {
  const { freeBytes, reserveBytes, closedFor, problem } = storage
  if (problem !== null || closedFor === 'storage') {
    const waiting =
      clipsWaiting > 0 ? ` ${plural(clipsWaiting, 'finished clip')} to be stored.` : ''
    const what = problem ?? 'it responds, but the last clip could not be stored'
    return bad(
      `Clips cannot be stored or shown (${what}): no new video is ordered.${waiting}`,
      'Look at the bucket, its address and its key in the settings, or at the disk of DATA_DIR. Work resumes on its own within a minute; nothing is lost or charged.',
    )
  }
  if (freeBytes === null && closedFor === null)
    return ok('It responds. It does not report its free space.')
  const room = freeBytes === null ? 'No space' : `${gigabytes(freeBytes)} free for videos`
  if (closedFor === 'space' || (freeBytes ?? 0) < reserveBytes) {
    return bad(
      `${room}, ${gigabytes(reserveBytes)} kept in reserve: no new video is ordered and finished clips wait.`,
      'Delete videos or free space on the disk. Work resumes on its own within a minute; nothing is lost or charged. STORAGE_RESERVE_MB sets the reserve.',
    )
  }
  if ((freeBytes ?? 0) > reserveBytes + SPACE_LOW_BYTES) return ok(`${room}.`)
  const next = `Delete videos or free space on the disk: below ${gigabytes(reserveBytes)} no new video is ordered.`
  return warn(`${room}.`, next)
}

function onTrial({ trial, provider }: SystemFacts): Verdict {
  const { videos, days, ordered, mostPerDay, busiestBlock, mostPerNetwork } = trial
  if (videos === 0) return ok('Off: new accounts have no plan.')
  const text =
    `${plural(videos, 'video')} a day for ${plural(days, 'day')}. Ordered today: ${figure(ordered)} of ${figure(mostPerDay)}; ` +
    `from the busiest block (IPv4 /24, IPv6 /48) ${figure(busiestBlock)} of ${figure(mostPerNetwork)}.`
  const paid = trial.isOrdered ? ` Each is an order with ${provider.kind}.` : ''
  if (ordered < mostPerDay && busiestBlock < mostPerNetwork) return ok(text + paid)
  const next =
    'Nobody else can try it until tomorrow. SIGNUP_TRIAL_MAX_PER_DAY and SIGNUP_TRIAL_MAX_PER_NETWORK set the caps, SIGNUP_TRIAL_VIDEOS=0 ends trials.'
  return warn(text + paid, next)
}

function onInvariants({ invariants }: SystemFacts): Verdict {
  const broken = invariants.filter(({ violations }) => violations > 0)
  const oldest = Math.max(0, ...invariants.map(({ ageSeconds }) => ageSeconds))
  if (broken.length > 0) {
    const text = `${plural(broken.length, 'consistency check')} failed: ${broken.map(({ name }) => name).join('; ')}.`
    const next = 'Keep the log and tell the developers. Videos are still being made.'
    return bad(text, next)
  }
  if (invariants.length === 0) return ok('Not run yet; it runs every minute.')
  const text = `All ${invariants.length} consistency checks pass, run ${spell(oldest)} ago.`
  if (oldest < CHECKS_OLD_SECONDS) return ok(text)
  return warn(text, 'The check runs in the worker: check that one is running.')
}

const RULES: Readonly<Record<string, (facts: SystemFacts) => Verdict | null>> = {
  Workers: onWorkers,
  'Job queue': onQueue,
  'Waiting videos': onLine,
  'Orders under way': onOrders,
  Failures: onFailures,
  Provider: onProvider,
  'Other providers': onOthers,
  'Stand-in': onStandIns,
  'Provider answers': onAnswers,
  'Order ids': onOrderIds,
  'Token pool': onTokens,
  Storage: onStorage,
  Backup: onBackups,
  'Copy of the backup': onCopy,
  'New orders': onPause,
  'Free trial': onTrial,
  Payment: onPayment,
  Alarms: onAlarms,
  'Self-check': onInvariants,
}

/** Evaluates the facts into one finding per area, with what to do next, the worst first. */
export function findingsOf(facts: SystemFacts): Finding[] {
  const findings = Object.entries(RULES).flatMap(([area, rule]) => {
    const verdict = rule(facts)
    return verdict === null ? [] : [{ area, ...verdict }]
  })
  const rank = { bad: 0, warn: 1, ok: 2 } as const
  return findings.sort((a, b) => rank[a.level] - rank[b.level])
}
