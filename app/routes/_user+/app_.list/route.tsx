import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { typedText } from '~/components/create/typed-draft'
import { PromptList } from './prompt-list'
import { textLinkClass } from '~/components/ui/text-link'
import { ActionToast } from '~/components/ui/toasts'
import { viewPromptList } from '~/domain/lists/prompt-list.server'
import { NO_LIST } from '~/domain/lists/stored-list.server'
import { listSavedWordings } from '~/domain/lists/saved-wordings.server'
import { eachText } from '~/domain/videos/order-fields'
import { listForms } from './route.server'
import { readForms } from '~/http/loaders/create-page.server'
import { readCreate } from '~/http/loaders/live.server'
import { handleForm, type FormResponse } from '~/http/forms/forms.server'
import { requireUser } from '~/http/session/guards.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('List of prompts')

/** Loads the stored list. Redirects to the create screen if there is none, and says why. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const signedIn = requireUser({ request, context })
  const [list, savedWordings, { formKey, drafts, hasTexts }, { work, underWay }] =
    await Promise.all([
      viewPromptList(signedIn.ctx),
      listSavedWordings(signedIn.ctx),
      readForms(signedIn, new URLSearchParams()),
      readCreate(signedIn, request),
    ])
  if (list === null) {
    const toast = { kind: 'error', title: 'No list of prompts', description: NO_LIST } as const
    throw await redirectWithToast(paths.create('bulk'), toast)
  }
  const { progress, estimateInputs } = work
  const running = progress?.batch.status === 'processing' ? progress.batch : null
  const settings = {
    ...eachText((name) => list.texts[name] ?? drafts.bulk[name]),
    aspectRatio: list.ratio ?? drafts.bulk.aspectRatio,
  }
  const { now } = underWay
  const inLine = progress?.inLine.length ?? 0
  const shown = { list, savedWordings, formKey, settings, hasTexts }
  return json({ ...shown, estimateInputs, now, running, inLine })
}

export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireUser(args)
  return handleForm(args, listForms(ctx))
}

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

export default function ListPage() {
  const { now, ...data } = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  return (
    <div className="mx-auto max-w-3xl space-y-4">
      <ActionToast toast={failure?.toast} />
      <h1 className="text-xl font-semibold">List of prompts</h1>
      <p className="text-soft">
        Nothing has started yet. These are the prompts of {data.list.name}, row by row.{' '}
        <Link to={paths.create('bulk')} className={textLinkClass}>
          Back, keep the list
        </Link>
      </p>
      <PromptList
        {...data}
        now={new Date(now)}
        errors={failure?.result.error ?? {}}
        wording={failure && WORDING_FORMS.has(failure.intent) ? wordingOf(failure) : null}
      />
    </div>
  )
}

const WORDING_FORMS: ReadonlySet<string> = new Set(['write-list', 'save-wording'])
const wordingOf = ({ result }: FormResponse) => ({
  text: typedText(result, 'wording'),
  errors: result.error?.wording ?? [],
})
