import type { SubmissionResult } from '@conform-to/react'
import { json, type AppLoadContext, type TypedResponse } from '@remix-run/node'
import type { ZodTypeAny, output } from 'zod'
import { webBoot } from '~/boot/web.server'
import { beforeField } from '~/domain/administration/rules'
import { AppError, HTTP_STATUS, type FieldErrors } from '~/domain/errors'
import { isOfScripts, NOT_CONFIRMED, SCRIPTED, STAYS } from '~/lib/carried'
import { TOO_MANY_LINES } from '~/lib/text-limits'
import type { Toast } from '../session/cookies.server'
import { toAppError } from '../responses/failures.server'
import { fieldsOf, parseForm, readTypedForm } from './form-data.server'
import { confirmFirst, NOTHING_DONE } from './confirm-first.server'
import { FORM_TOKEN_FIELD, isFormToken, OUT_OF_DATE } from './form-token.server'
import { askAgain, lostSecrets, type Secret } from './lost-secrets.server'
import { mergeShown, type Stored } from './shown-fields.server'
import { errorHeaders } from '../responses/respond.server'
import { redirectWithToast } from '../session/toast.server'

/**
 * What a page receives after a form: a toast, and after a refusal the values as typed and the errors. There is
 * no toast if the page itself asks about what was refused.
 */
export type FormResponse = {
  intent: string
  result: SubmissionResult
  toast?: Toast | undefined
  /** A form that stays was carried out, and its page requests what has changed. */
  isLive?: true
}

/** A failed form. `cause` is set for unexpected errors. */
type Failure = {
  result: SubmissionResult
  failure: AppError
  cause?: unknown
  /** Replaces the handler's title if only a part of the form failed. */
  head?: ToastHead
}
/**
 * A success: where it leads, and the toast that is shown there. A form whose page stays (`STAYS`)
 * receives only the toast.
 */
export type Success = {
  to: string
  toast: Toast
  headers?: Headers
  /** Such a page loads its data again, because it may be one that does not ask what has changed. */
  reloads?: true
}
type SuccessOrRedirect = TypedResponse<never> | Success
/** A form that was not carried out and is shown again. */
type ShownAgain = { result: SubmissionResult; toast: Toast }
/**
 * A partial success: the page shows the form again with what is left and its errors
 * (`failure.fields`).
 */
export type PartialSuccess = { left: Record<string, string>; failure: AppError; head: ToastHead }
type ToastHead = Pick<Toast, 'kind' | 'title'>
/** Title of a failure's toast. A function if it depends on the failure; null: there is no toast. */
type Title = string | ((failure: AppError) => string | null)
export type FormHandler = {
  title: Title
  run: (data: FormData) => Promise<SuccessOrRedirect | Failure | ShownAgain>
  /** Secrets of others that the form asks for again if it is refused. */
  secrets?: readonly Secret[]
}

/** Fields that are never sent back with a failed form. */
const HIDDEN_FIELDS = [
  'password',
  'bearerToken',
  'oldPassword',
  'ownPassword',
  'newPassword',
  'confirmPassword',
  'code',
  'recoveryCode',
  'file',
  FORM_TOKEN_FIELD,
]

type Run<Input> = (input: Input, data: FormData) => Promise<SuccessOrRedirect | PartialSuccess>
/** A form that changes what is stored, and with which an older page must overwrite nothing unseen. */
type Change<Input> = {
  /**
   * Returns what the form shows, as stored now. The form is then merged with it (`mergeShown`).
   * Null if there is nothing to compare with: the form creates, or its subject is gone.
   */
  shown: (data: FormData) => Promise<Stored | null>
  run: Run<Input>
}

/**
 * Creates the handler of one form of a page. `title` is the title of a failure's toast. `run`
 * receives the parsed input and the form as it was sent, or with `shown` as it was merged with what
 * is stored. It returns where a success leads, a redirect, or what is left to do.
 */
export function form<Schema extends ZodTypeAny>(
  title: Title,
  schema: Schema,
  act: Run<output<Schema>> | Change<output<Schema>>,
): FormHandler {
  const { run, shown } = typeof act === 'function' ? { run: act, shown: undefined } : act
  return {
    title,
    run: async (sent) => {
      let data = sent
      try {
        const stored = await shown?.(sent)
        if (stored) data = mergeShown(sent, stored, HIDDEN_FIELDS)
      } catch (error) {
        return refusal(sent, error)
      }
      const parsed = parseForm(schema, data)
      if (!parsed.ok) {
        const first = Object.values(parsed.error).find((messages) => messages[0])?.[0]
        return {
          // As it was sent: with scripts the page keeps what its fields contain.
          result: failed(sent, parsed.error),
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
        return refusal(sent, error)
      }
    },
  }
}

/** Returns the failed form for an error. A response that was thrown goes out as it is. */
function refusal(data: FormData, error: unknown): Failure {
  if (error instanceof Response) throw error
  const failure = toAppError(error, '')
  const result = failed(data, failure.fields ?? {})
  return { result, failure, ...(failure.status >= 500 && { cause: error }) }
}

/**
 * Runs the handler of the form whose `intent` was posted. A refusal returns its status, the values
 * as typed and a toast. So does an unexpected error, with a request id to quote, because an error
 * page would lose what the user typed. A form that needs the password is redirected to the page
 * that asks for it.
 */
export async function handleForm(
  { request, context }: { request: Request; context: AppLoadContext },
  handlers: Record<string, FormHandler>,
): Promise<TypedResponse<FormResponse>> {
  const { data, tooLong } = await readTypedForm(request)
  const intent = data.get('intent')
  // Own properties only: every object inherits a `constructor`.
  const isKnown = typeof intent === 'string' && Object.hasOwn(handlers, intent)
  const handler = isKnown ? handlers[intent] : undefined
  if (!isKnown || !handler) throw json(null, HTTP_STATUS.BAD_INPUT)
  // Before the mark of the page's scripts is removed.
  const problem = data.has(SCRIPTED) ? TOO_MANY_LINES : `${TOO_MANY_LINES} ${STILL_THERE}`
  const refused = () => Promise.resolve(refusedFor(data, tooLong, problem))
  const act = tooLong.length > 0 ? { ...handler, run: refused } : handler
  return runHandler({ request, context }, data, { ...act, intent })
}

/** Refuses a form for texts of too many lines. With scripts they are still in their boxes. */
function refusedFor(data: FormData, tooLong: readonly string[], problem: string): Failure {
  return {
    result: failed(data, Object.fromEntries(tooLong.map((name) => [name, [problem]]))),
    failure: new AppError('BAD_INPUT', problem),
  }
}

const STILL_THERE = 'Your browser’s Back shows it again.'

/** Runs one handler with a form that has already been read. */
export async function runHandler(
  { request, context }: { request: Request; context: AppLoadContext },
  data: FormData,
  handler: FormHandler & { intent: string },
): Promise<TypedResponse<FormResponse>> {
  const { intent } = handler
  const session = context.visitor?.sessionId
  const isForged = session !== undefined && !isFormToken(data.get(FORM_TOKEN_FIELD), session)
  data.delete(FORM_TOKEN_FIELD)
  // Before the handler runs, which may fill in a password of its own.
  const lost = lostSecrets(data, handler.secrets)
  const stays = data.has(STAYS)
  for (const name of [...data.keys()]) if (isOfScripts(name)) data.delete(name)
  const outcome = isForged ? staleForm(data) : await runOrCancel(handler, data)
  if ('to' in outcome) {
    const { to, toast, headers = new Headers(), reloads } = outcome
    if (!stays) return redirectWithToast(to, toast, headers)
    // A new session brings new form tokens, so the page loads its data again.
    const isLive = outcome.headers || reloads ? {} : { isLive: true as const }
    return json({ intent, result: { status: 'success' }, toast, ...isLive }, { headers })
  }
  if ('toast' in outcome) return json({ intent, ...askAgain(outcome, lost) })
  if (!('failure' in outcome)) return outcome
  const { result, cause, head } = outcome
  if (outcome.failure.code === 'PASSWORD_NEEDED') return confirmFirst(request)
  const failure = cause === undefined ? outcome.failure : unforeseen(cause, context.requestId)
  const title = typeof handler.title === 'string' ? handler.title : handler.title(failure)
  const toast: Toast | undefined =
    title === null ? undefined : { kind: 'error', title, description: failure.message, ...head }
  const init = { status: failure.status, headers: errorHeaders(failure) }
  return json({ intent, ...askAgain({ result, toast }, lost) }, init)
}

/** Runs the handler, or shows the form again if the user did not enter the password. */
async function runOrCancel({ run }: FormHandler, data: FormData) {
  if (!data.has(NOT_CONFIRMED)) return run(data)
  data.delete(NOT_CONFIRMED)
  return formAgain(data, NOTHING_DONE)
}

function unforeseen(cause: unknown, requestId: string): AppError {
  webBoot().log.error({ err: cause, requestId }, 'form failed')
  return toAppError(cause, requestId)
}

/** Returns the failed form as its page shows it again: the values as typed, and the errors. */
function failed(data: FormData, error: FieldErrors): SubmissionResult {
  const initialValue: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(fieldsOf(data))) {
    const isHidden = HIDDEN_FIELDS.includes(name) && value !== ''
    // In place of a secret the page shows what it showed before: the mask of the old one.
    const shown = isHidden ? data.getAll(beforeField(name)) : [value].flat()
    const texts = shown.filter((one) => typeof one === 'string')
    if (texts.length > 0) initialValue[name] = texts.length > 1 ? texts : (texts[0] ?? '')
  }
  return { status: 'error', initialValue, error }
}

/** Returns a form that was not carried out, to be shown again as it was sent, without its secrets. */
export function formAgain(data: FormData, toast: Toast): ShownAgain {
  return { result: failed(data, {}), toast }
}

function staleForm(data: FormData): Failure {
  return {
    result: failed(data, {}),
    failure: new AppError('FORBIDDEN', OUT_OF_DATE),
  }
}
