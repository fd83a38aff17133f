import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  json,
  redirect,
} from '@remix-run/node'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { BULK_FAILED } from '~/components/create/create-form'
import { JsonNote } from '~/components/create/json-note'
import { isPastedList, ListPreview } from '~/components/create/list-preview'
import { ReceiptLines } from '~/components/create/receipt-lines'
import { RunPart } from '~/components/create/run-part'
import { RunningNote } from '~/components/create/running-note'
import { typedText } from '~/components/create/typed-draft'
import { FailedFields, FormToken, HiddenFields } from '~/components/ui/action-form'
import { ActionToast } from '~/components/ui/toasts'
import { Button, buttonClass } from '~/components/ui/button'
import { Card } from '~/components/ui/card'
import { receiptFor } from '~/domain/batches/receipt'
import { findBrokenJson, parsePromptLines } from '~/domain/batches/rules'
import { settingsOf } from '~/domain/videos/requests/drafts'
import { createForms } from '~/http/actions/create-forms.server'
import { readForms } from '~/http/loaders/create-page.server'
import { readCreate } from '~/http/loaders/live.server'
import { handleForm } from '~/http/forms/forms.server'
import { requireUser } from '~/http/session/guards.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { paths } from '~/lib/paths'
import { excerpt } from '~/lib/text'
import { pageMeta } from '~/lib/title'
import { picturesInBox } from '~/domain/batches/picture-names'
import { shownPictures, type DraftPicture } from '~/domain/videos/requests/pictures'
import { FieldErrors } from '~/components/ui/field-frame'

/** Number of prompts that the receipt lists. The rest is only counted. */
const SHOWN = 5

const CHANGED_ELSEWHERE = {
  kind: 'info',
  title: 'Another window has changed the box',
  description:
    'Nothing was started. The box has what was typed there; your browser’s Back shows what you typed.',
} as const

export const meta: MetaFunction = () => pageMeta('Receipt')

/**
 * Loads the stored draft of the bulk box and its receipt. Redirects to the create screen if the box
 * is empty, or has another text than the one that the address is of: an account has one box, and nobody
 * may start what another window has typed.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const signedIn = requireUser({ request, context })
  const [{ formKey, drafts, draftPictures }, { work, underWay }] = await Promise.all([
    readForms(signedIn, new URLSearchParams()),
    readCreate(signedIn, request),
  ])
  if (parsePromptLines(drafts.bulk.text).length === 0) throw redirect(paths.create('bulk'))
  const of = new URL(request.url).searchParams.get('of')
  if (of !== null && of !== String(drafts.bulk.version))
    throw await redirectWithToast(paths.create('bulk'), CHANGED_ELSEWHERE)
  const { progress, estimateInputs } = work
  const running = progress?.batch.status === 'processing' ? progress.batch : null
  return json({
    formKey,
    draft: drafts.bulk,
    draftPictures,
    estimateInputs,
    now: underWay.now,
    running,
    inLine: progress?.inLine.length ?? 0,
  })
}

export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireUser(args)
  return handleForm(args, createForms(ctx))
}

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

export default function ReceiptPage() {
  const { formKey, draft, draftPictures, estimateInputs, now, running, inLine } =
    useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  const prompts = parsePromptLines(draft.text)
  const receipt = receiptFor(prompts.length, estimateInputs, new Date(now))
  const isCleaned = failure ? typedText(failure.result, 'cleanList') === 'on' : false
  return (
    <div className="mx-auto max-w-xl space-y-4">
      <ActionToast toast={failure?.toast} />
      <h1 className="text-xl font-semibold">Receipt</h1>
      <p className="text-soft">Nothing has started yet. This is what the batch will be.</p>
      <Card>
        <Form method="post" action={paths.receipt} className="flex flex-col gap-4">
          <FormToken />
          <FailedFields failed={BULK_FAILED} />
          <HiddenFields fields={{ formKey, promptLines: draft.text, ...settingsOf(draft) }} />
          <ReceiptLines receipt={receipt} estimateInputs={estimateInputs} now={new Date(now)} />
          {draftPictures && <ReceiptPictures count={prompts.length} pictures={draftPictures} />}
          {isPastedList(prompts, draft.text) ? (
            <ListPreview prompts={prompts} text={draft.text} isCleaned={isCleaned} />
          ) : (
            <FirstPrompts texts={prompts.map(({ text }) => text)} />
          )}
          <JsonNote lines={findBrokenJson(prompts).map(({ line }) => line)} />
          {running ? (
            <RunningNote batch={running} inLine={inLine} intent="queue-batch" />
          ) : receipt.fits ? (
            <Button name="intent" value="start-batch" className="w-full">
              Generate {prompts.length} Video(s)
            </Button>
          ) : (
            <RunPart receipt={receipt} remaining={estimateInputs.remaining} isDisabled={false} />
          )}
          <Link to={paths.create('bulk')} className={buttonClass('plain', 'w-full')}>
            Change the prompts
          </Link>
        </Form>
      </Card>
    </div>
  )
}

function FirstPrompts({ texts }: { texts: readonly string[] }) {
  return (
    <ol className="list-decimal space-y-1 pl-5 text-sm">
      {texts.slice(0, SHOWN).map((text, index) => (
        <li key={`${index}:${text}`}>
          <p dir="auto" className="break-words">
            {excerpt(text, 120)}
          </p>
        </li>
      ))}
      {texts.length > SHOWN && (
        <li className="list-none text-soft">and {texts.length - SHOWN} more</li>
      )}
    </ol>
  )
}

type Props = { count: number; pictures: readonly DraftPicture[] }

/** With which picture the videos of a batch begin, before it is started. Part of the receipt's form. */
function ReceiptPictures({ count, pictures }: Props) {
  const { says, problems } = picturesInBox(count, pictures)
  return (
    <div className="space-y-1 text-sm">
      <HiddenFields fields={{ shownPictures: shownPictures(pictures) }} />
      {says.length > 0 && (
        <>
          <h2 className="font-medium">Pictures</h2>
          <ul>
            {says.map((text) => (
              <li key={text} className="break-words">
                {text}
              </li>
            ))}
          </ul>
        </>
      )}
      <FieldErrors id="promptLines-error" messages={problems} />
    </div>
  )
}
