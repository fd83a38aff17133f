import { ProviderError, type SubmitCall } from '../port'
import { acceptanceOfSilence, type Answer, type Step } from './answers'
import { PRIVATE_NAME } from './address.server'
import { readBody } from './json-body.server'
import { redact } from './redact'
import type { Exchange, OpenAnswer, Silence, Wire } from './wire.server'

/** What is asked for. Only a submit may cost money, and only it asks whether it may still start. */
export type Purpose =
  { step: Exclude<Step, 'submit'> } | ({ step: 'submit' } & Pick<SubmitCall, 'mayStart'>)

export type Question = Exchange &
  Purpose & {
    /** What must not stand in any error, whatever the provider repeats. */
    secrets: readonly string[]
  }

/**
 * Asks once and reads the answer as JSON. A submit goes over a connection of its own, if it may
 * still start when that stands. Throws ProviderError when no answer came; what the answer means is
 * the adapter's to say.
 */
export async function ask(wire: Wire, question: Question): Promise<Answer> {
  const { status, headers, body } = await open(wire, question)
  return { status, headers, body: await readBody(body) }
}

/** As `ask`, with the body still unread. */
export async function open(wire: Wire, question: Question): Promise<OpenAnswer> {
  const answer = await (question.step === 'submit'
    ? wire.sendFresh(question, () => question.mayStart())
    : wire.send(question))
  if (answer.got === 'nothing') throw silenceError(question, answer)
  return answer
}

/** The error for a request that got no answer. */
export function silenceError(
  { step, secrets }: { step: Step; secrets: readonly string[] },
  { left, code, message }: Silence,
): ProviderError {
  const acceptance = acceptanceOfSilence(step, left)
  const evidence = { code, message: redact(message, secrets) }
  if (code !== PRIVATE_NAME) return new ProviderError({ kind: 'transient' }, acceptance, evidence)
  return new ProviderError({ kind: 'permanent', reason: 'protocol' }, acceptance, evidence)
}
