import { ProviderError, type SubmitCall } from '../port'
import { acceptanceWithoutResponse, type HttpResponse, type Step } from './responses'
import { PRIVATE_NAME } from './address.server'
import { readBody } from './json-body.server'
import { redact } from './redact'
import type { Exchange, OpenResponse, Silence, Wire } from './wire.server'

/** The purpose of a request. Only a submit may cost money, so only a submit has `mayStart`. */
export type Purpose =
  { step: Exclude<Step, 'submit'> } | ({ step: 'submit' } & Pick<SubmitCall, 'mayStart'>)

export type Question = Exchange &
  Purpose & {
    /** Texts that must not appear in any error, even if the provider repeats them. */
    secrets: readonly string[]
  }

/**
 * Sends one request and parses the response as JSON. A submit uses a fresh connection and is sent
 * only if `mayStart` returns true once connected. Throws ProviderError if no response came. The
 * adapter interprets the response.
 */
export async function ask(wire: Wire, question: Question): Promise<HttpResponse> {
  const { status, headers, body } = await open(wire, question)
  return { status, headers, body: await readBody(body) }
}

/** Sends one request like `ask`, but leaves the body unread. */
export async function open(wire: Wire, question: Question): Promise<OpenResponse> {
  const response = await (question.step === 'submit'
    ? wire.sendFresh(question, () => question.mayStart())
    : wire.send(question))
  if (response.got === 'nothing') throw silenceError(question, response)
  return response
}

/** Returns the error for a request that got no response. */
export function silenceError(
  { step, secrets }: { step: Step; secrets: readonly string[] },
  { left, code, message }: Silence,
): ProviderError {
  const acceptance = acceptanceWithoutResponse(step, left)
  const evidence = { code, message: redact(message, secrets) }
  if (code !== PRIVATE_NAME) return new ProviderError({ kind: 'transient' }, acceptance, evidence)
  return new ProviderError({ kind: 'permanent', reason: 'protocol' }, acceptance, evidence)
}
