import { ProviderError } from '../port'
import { acceptanceOfSilence, type Answer, type Step } from './answers'
import { PRIVATE_NAME } from './address.server'
import { readBody } from './json-body.server'
import { redact } from './redact'
import type { Exchange, OpenAnswer, Silence, Wire } from './wire.server'

export type Question = Exchange & {
  step: Step
  /** What must not stand in any error, whatever the provider repeats. */
  secrets: readonly string[]
}

/**
 * Asks once and reads the answer as JSON. A submit goes over a connection of its own. Throws
 * ProviderError when no answer came; what the answer means is the adapter's to say.
 */
export async function ask(wire: Wire, question: Question): Promise<Answer> {
  const { status, headers, body } = await open(wire, question)
  return { status, headers, body: await readBody(body) }
}

/** As `ask`, with the body still unread. */
export async function open(wire: Wire, question: Question): Promise<OpenAnswer> {
  const send = question.step === 'submit' ? wire.sendFresh : wire.send
  const answer = await send(question)
  if (answer.got === 'nothing') throw silenceError(question, answer)
  return answer
}

/** The error for a request that got no answer. */
export function silenceError(
  { step, secrets }: Pick<Question, 'step' | 'secrets'>,
  { left, code, message }: Silence,
): ProviderError {
  const acceptance = acceptanceOfSilence(step, left)
  const evidence = { code, message: redact(message, secrets) }
  if (code !== PRIVATE_NAME) return new ProviderError({ kind: 'transient' }, acceptance, evidence)
  return new ProviderError({ kind: 'permanent', reason: 'protocol' }, acceptance, evidence)
}
