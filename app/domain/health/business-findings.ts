import { plural } from '~/lib/figures'
import { channelsText } from '../business/types'
import type { SystemFacts } from './types'
import { bad, ok, spell, warn, type Verdict } from './verdicts'

// Findings on what the Settings page sets.

export function onPayment({ waysToPay, provider: { kind } }: SystemFacts): Verdict {
  if (waysToPay.length > 0) return ok(`Buyers see: ${waysToPay.join(', ')}.`)
  const text = 'No account is set: buyers see no way to pay, and are told to ask in the chat.'
  const next = 'Enter an account on the Settings page.'
  // With the preview renderer nothing is sold yet.
  return kind === 'local' ? { ...ok(text), next } : warn(text, next)
}

export function onPause({ pause }: SystemFacts): Verdict {
  if (pause === null) return ok('Accepted.')
  return warn(`Paused. Users read: “${pause}”`, 'Accept them again on the Settings page.')
}

export function onAlarms({ alarms }: SystemFacts): Verdict {
  const { channels, unready, failing, problem, sentSeconds } = alarms
  if (channels.length === 0) {
    return warn('Off: problems are shown here only.', 'The Settings page sends them to a phone.')
  }
  const to = `Sent by ${channelsText(channels)}.`
  if (unready.length > 0) {
    const text = `The secret of ${channelsText(unready)} is missing: nothing is sent there.`
    return bad(text, 'Set it in the environment of web and worker, and restart both.')
  }
  if (problem !== null) {
    const text = `${plural(failing, 'message')} of the last day not delivered. The last answer: ${problem}.`
    return bad(
      text,
      'Correct it on the Settings page and send a test. Messages are tried for a day.',
    )
  }
  const last = sentSeconds === null ? 'None yet.' : `The last one ${spell(sentSeconds)} ago.`
  return ok(`${to} ${last}`)
}
