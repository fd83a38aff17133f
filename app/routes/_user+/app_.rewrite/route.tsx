import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { FailedFields, FormToken, HiddenFields } from '~/components/ui/action-form'
import { RowBox } from '~/components/ui/row-box'
import { SubmitButton } from '~/components/ui/submit-button'
import { ActionToast } from '~/components/ui/toasts'
import { HTTP_STATUS } from '~/domain/errors'
import { viewRewrite } from '~/domain/lists/rewrite.server'
import { REWRITE_LABELS } from '~/domain/lists/rewrites'
import { previewForms } from '~/http/actions/rewrite-forms.server'
import { handleForm } from '~/http/forms/forms.server'
import { requireUser } from '~/http/session/guards.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { figure, plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('New words for prompts')

/** Without a text service there is no such page. */
function requireTexts(args: Pick<LoaderFunctionArgs, 'request' | 'context'>) {
  const { ctx } = requireUser(args)
  if (ctx.texts === null) throw json(null, HTTP_STATUS.NOT_FOUND)
  return ctx
}

/** Loads the preview. Redirects to the create screen if there is none. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const preview = await viewRewrite(requireTexts({ request, context }))
  if (preview === null)
    throw await redirectWithToast(paths.app, {
      kind: 'info',
      title: 'There is nothing to look at',
      description: 'The answer of the text service was used or dropped.',
    })
  return json(preview)
}

export async function action(args: ActionFunctionArgs) {
  return handleForm(args, previewForms(requireTexts(args)))
}

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

type Preview = ReturnType<typeof useLoaderData<typeof loader>>

/** What the text service makes of prompts, row by row, before any of it is used. */
export default function RewritePage() {
  const preview = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  const { act, of, rows, left, version } = preview
  const count = rows.filter(({ after }) => after !== null).length
  const typed = failure?.result.initialValue?.taken
  const ticked = failure ? new Set([typed ?? []].flat().map(String)) : null
  return (
    <div className="mx-auto max-w-3xl space-y-4">
      <ActionToast toast={failure?.toast} />
      <h1 className="text-xl font-semibold">{REWRITE_LABELS[act]}</h1>
      <p className="text-soft">
        This is what the text service makes of your {of === 'single' ? 'prompt' : 'prompts'}.
        Nothing has changed yet and no video has started.
        {count > 1 && ' All are ticked: untick what you do not want.'}
      </p>
      {left > 0 && (
        <p className="text-soft">
          {plural(left, 'prompt')} more did not fit into one press. Use or start these first.
        </p>
      )}
      <Form method="post" key={version} className="space-y-4">
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {rows.map((row, i) => (
            <Row
              key={row.before}
              {...row}
              index={i}
              label={of === 'single' ? null : `${of === 'list' ? 'Row' : 'Line'} ${row.place}`}
              isTicked={ticked?.has(String(i)) ?? true}
            />
          ))}
        </ul>
        <div className="start-row">
          <p className="start-summary">
            {figure(count)} of {plural(rows.length, 'prompt')} can change.
          </p>
          {count > 0 && (
            <SubmitButton intent="use-rewrite" name="intent" value="use-rewrite">
              Use the ticked
            </SubmitButton>
          )}
          <SubmitButton intent="drop-rewrite" name="intent" value="drop-rewrite" look="plain">
            Leave all as it was
          </SubmitButton>
        </div>
        <HiddenFields fields={{ version }} />
        <FormToken />
        <FailedFields failed="Nothing was changed" />
      </Form>
    </div>
  )
}

type RowProps = Preview['rows'][number] & {
  index: number
  /** Where the prompt is. Null: it is the only one. */
  label: string | null
  isTicked: boolean
}

function Row({ index, label, isTicked, before, ...answer }: RowProps) {
  const name = label ?? 'the prompt'
  return (
    <li className="flex items-start gap-3 p-3">
      {answer.after === null ? (
        <span className="w-5 shrink-0" />
      ) : (
        <RowBox
          aria-label={`Use the new words of ${name}`}
          name="taken"
          value={index}
          defaultChecked={isTicked}
        />
      )}
      <div className="min-w-0 grow space-y-1">
        <p dir="auto" className="whitespace-pre-line break-words text-sm text-soft">
          {before}
        </p>
        {answer.after === null ? (
          <p className="text-sm text-warn">Stays as it is: {answer.why}</p>
        ) : (
          <>
            <p dir="auto" className="whitespace-pre-line break-words">
              {answer.after}
            </p>
            {answer.notes.map((note) => (
              <p key={note} className="text-sm text-soft">
                {note}
              </p>
            ))}
          </>
        )}
      </div>
      {label && <span className="shrink-0 text-xs text-soft">{label}</span>}
    </li>
  )
}
