import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { PageHeader } from '~/components/admin/page-header'
import { PromptDialogs } from './prompt-dialogs'
import { PromptTable } from './prompt-table'
import { ActionToast } from '~/components/ui/toasts'
import { DialogLink } from '~/components/ui/dialog-link'
import { EmptyState } from '~/components/ui/empty-state'
import { Icon } from '~/components/ui/icon'
import { StatCards } from '~/components/ui/stat-cards'
import { actFor } from '~/domain/administration/helpers/act-for.server'
import { getPromptStatistics, listPrompts } from '~/domain/prompts/library.server'
import { handleForm } from '~/http/forms/forms.server'
import { requireHelper } from '~/http/session/guards.server'
import { promptForms } from './route.server'
import { pageMeta } from '~/lib/title'
import type { PromptView } from '~/domain/prompts/types'
import { plural } from '~/lib/figures'
import { ActionForm } from '~/components/ui/action-form'
import { Card } from '~/components/ui/card'
import { SubmitButton } from '~/components/ui/submit-button'

export const meta: MetaFunction = () => pageMeta('Prompt Management')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = actFor(requireHelper({ request, context }, 'prompts').ctx, 'prompts')
  const prompts = await listPrompts(ctx)
  return json({ prompts, statistics: await getPromptStatistics(ctx) })
}

export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireHelper(args, 'prompts')
  return handleForm(args, promptForms(actFor(ctx, 'prompts')))
}

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

export default function PromptsPage() {
  const { prompts, statistics } = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  const current = prompts.find(({ isCurrent }) => isCurrent)
  const { total, copies, skips } = statistics
  const stats = [
    { label: 'Prompts', value: total },
    { label: 'Copies', value: copies },
    { label: 'Skips', value: skips },
  ]
  return (
    <div className="space-y-6">
      <ActionToast toast={failure?.toast} />
      <PageHeader title="Prompt Management">
        <div className="flex flex-wrap gap-2">
          <DialogLink dialog="import">
            <Icon name="list-plus" className="size-4" />
            Bulk Import
          </DialogLink>
          <DialogLink dialog="add" look="primary">
            <Icon name="plus" className="size-4" />
            Add Prompt
          </DialogLink>
        </div>
      </PageHeader>
      {current && <CurrentPrompt prompt={current} isPinned={statistics.isPinned} />}
      {prompts.length === 0 ? (
        <EmptyState text="No prompts found. Create your first prompt to get started." />
      ) : (
        <>
          <StatCards label="Statistics" stats={stats} />
          <PromptTable prompts={prompts} />
        </>
      )}
      <PromptDialogs prompts={prompts} />
    </div>
  )
}

/** The prompt that users see today, and whether it is pinned beyond the daily reset. */
function CurrentPrompt({ prompt, isPinned }: { prompt: PromptView; isPinned: boolean }) {
  return (
    <Card title="Current Daily Prompt">
      <p className="max-w-prose break-words text-base">{prompt.text}</p>
      <p className="mt-2 text-sm tabular-nums text-soft">
        Copied {plural(prompt.copyCount, 'time')}, skipped {plural(prompt.skipCount, 'time')}
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-3 text-sm text-soft">
        {isPinned ? (
          <>
            <span className="inline-flex items-center gap-2">
              <Icon name="pin" className="size-4" />
              Set by hand: it stays until you choose otherwise.
            </span>
            <ActionForm intent="unpin" failed="Failed to set daily prompt" preventScrollReset>
              <SubmitButton intent="unpin" look="plain">
                Change daily again
              </SubmitButton>
            </ActionForm>
          </>
        ) : (
          <span>Each day the least recently used prompt is chosen.</span>
        )}
      </div>
    </Card>
  )
}
