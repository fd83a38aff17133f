import type { SubmissionResult } from '@conform-to/react'
import { json, type AppLoadContext, type TypedResponse } from '@remix-run/node'
import type { ZodTypeAny, output } from 'zod'
import { webBoot } from '~/boot/web.server'
import { AppError, HTTP_STATUS, type FieldErrors } from '~/domain/errors'
import { NOT_CONFIRMED } from '~/lib/carried'
import type { Toast } from '../session/cookies.server'
import { toAppError } from '../responses/failures.server'
import { fieldsOf, parseForm, readForm } from './form-data.server'
import { confirmFirst, NOTHING_DONE } from './confirm-first.server'
import { FORM_TOKEN_FIELD, isFormToken } from './form-token.server'
import { errorHeaders } from '../responses/respond.server'

/** What a page gets back when a form could not be carried out: what was typed, and what to mend. */
export type FormFailure = { intent: string; result: SubmissionResult; toast: Toast }

/** `cause` is there when nobody foresaw what happened. */
type Answer = {
  result: SubmissionResult
  failure: AppError
  cause?: unknown
  /** Instead of the handler's title, where not all of it failed. */
  head?: ToastHead
}
type Done = TypedResponse<never>
/**
 * Done in part: the form comes back with what is left and what is wrong with it (`failure.fields`).
 */
export type Partly = { left: Record<string, string>; failure: AppError; head: ToastHead }
type ToastHead = Pick<Toast, 'kind' | 'title'>
/** Heads the toast of a failure; a function where it depends on what is wrong. */
type Title = string | ((failure: AppError) => string)
export type FormHandler = { title: Title; run: (data: FormData) => Promise<Done | Answer> }

/** What somebody typed for somebody else. */
const SECRETS = ['password', 'bearerToken']

/** Never sent back with a failed form. */
const HIDDEN_FIELDS = [
  ...SECRETS,
  'oldPassword',
  'ownPassword',
  'newPassword',
  'confirmPassword',
  'code',
  'recoveryCode',
  'file',
  FORM_TOKEN_FIELD,
]

/**
 * One branch of a page's action: `title` heads the toast of a failure, `run` gets the parsed input
 * (and the form as it was sent) and answers with a redirect,
 * or with what is left to do.
 */
export function form<Schema extends ZodTypeAny>(
  title: Title,
  schema: Schema,
  run: (input: output<Schema>, data: FormData) => Promise<Done | Partly>,
): FormHandler {
  return {
    title,
    run: async (data) => {
      const parsed = parseForm(schema, data)
      if (!parsed.ok) {
        const first = Object.values(parsed.error).find((messages) => messages[0])?.[0]
        return {
          result: failed(data, parsed.error),
          failure: new AppError('BAD_INPUT', first ?? 'Please check what you entered'),
        }
      }
      try {
        const done = await run(parsed.value, data)
        if (!('left' in done)) return done
        const { left, failure, head } = done
        const error = failure.fields ?? {}
        return { result: { status: 'error', initialValue: left, error }, failure, head }
      } catch (error) {
        if (error instanceof Response) throw error
        const failure = toAppError(error, '')
        const result = failed(data, failure.fields ?? {})
        return { result, failure, ...(failure.status >= 500 && { cause: error }) }
      }
    },
  }
}

/**
 * Carries out the form whose `intent` the action received. A refusal answers with its status, what
 * was typed and a toast; so does what nobody foresaw, with a number to quote, so that what was typed
 * is not lost with the page. One that needs the password again goes by the page that asks for it.
 */
export async function handleForm(
  { request, context }: { request: Request; context: AppLoadContext },
  handlers: Record<string, FormHandler>,
): Promise<TypedResponse<FormFailure>> {
  const data = await readForm(request)
  const intent = data.get('intent')
  // Own ones only: every object also has a `constructor`.
  const isKnown = typeof intent === 'string' && Object.hasOwn(handlers, intent)
  const handler = isKnown ? handlers[intent] : undefined
  if (!isKnown || !handler) throw json(null, HTTP_STATUS.BAD_INPUT)
  return carryOut({ request, context }, data, { ...handler, intent })
}

/** The same for a form that has been read and has one handler. */
export async function carryOut(
  { request, context }: { request: Request; context: AppLoadContext },
  data: FormData,
  handler: FormHandler & { intent: string },
): Promise<TypedResponse<FormFailure>> {
  const { intent } = handler
  const session = context.visitor?.sessionId
  const isForged = session !== undefined && !isFormToken(data.get(FORM_TOKEN_FIELD), session)
  data.delete(FORM_TOKEN_FIELD)
  if (!isForged && data.has(NOT_CONFIRMED)) return json(notConfirmed(intent, data))
  const answer = isForged ? staleForm(data) : await handler.run(data)
  if (!('failure' in answer)) return answer
  const { result, cause, head } = answer
  if (answer.failure.code === 'PASSWORD_NEEDED') return confirmFirst(request)
  const failure = cause === undefined ? answer.failure : unforeseen(cause, context.requestId)
  const title = typeof handler.title === 'string' ? handler.title : handler.title(failure)
  const toast: Toast = { kind: 'error', title, description: failure.message, ...head }
  return json({ intent, result, toast }, { status: failure.status, headers: errorHeaders(failure) })
}

function unforeseen(cause: unknown, requestId: string): AppError {
  webBoot().log.error({ err: cause, requestId }, 'form failed')
  return toAppError(cause, requestId)
}

/** The failed form as its page shows it again: what was typed and what is wrong with it. */
function failed(data: FormData, error: FieldErrors): SubmissionResult {
  const initialValue: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(fieldsOf(data))) {
    const texts = [value].flat().filter((one) => typeof one === 'string')
    if (texts.length > 0 && !HIDDEN_FIELDS.includes(name))
      initialValue[name] = texts.length > 1 ? texts : (texts[0] ?? '')
  }
  return { status: 'error', initialValue, error }
}

/** The form as it was sent, where the password was asked for and not given; secrets are left out. */
function notConfirmed(intent: string, data: FormData): FormFailure {
  data.delete(NOT_CONFIRMED)
  const isLeftOut = SECRETS.some((name) => (data.get(name) ?? '') !== '')
  const description = `${NOTHING_DONE.description}${isLeftOut ? ' Type the password or token once more.' : ''}`
  return { intent, result: failed(data, {}), toast: { ...NOTHING_DONE, description } }
}

function staleForm(data: FormData): Answer {
  return {
    result: failed(data, {}),
    failure: new AppError('FORBIDDEN', 'This form is out of date. Send it once more.'),
  }
}
