import { json, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { ButtonLink } from '~/components/ui/button'
import { DayTime } from '~/components/ui/day-time'
import { EmptyState } from '~/components/ui/empty-state'
import { listPromptUses } from '~/domain/prompts/daily.server'
import { requireUser } from '~/http/session/guards.server'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('Daily prompts you used')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireUser({ request, context })
  return json({ uses: await listPromptUses(ctx) })
}

export { shouldRevalidate } from '~/components/ui/page-forms'

/** The daily prompts that the user has copied, to use them again. */
export default function UsedPromptsPage() {
  const { uses } = useLoaderData<typeof loader>()
  return (
    <div className="mx-auto max-w-2xl space-y-4">
      <h1 className="text-xl font-semibold sm:text-2xl">Daily prompts you used</h1>
      {uses.length === 0 ? (
        <EmptyState text="No daily prompts used yet. Copy the one in the menu, and it is kept here.">
          <ButtonLink to={paths.app}>Generate Video</ButtonLink>
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {uses.map(({ id, text, usedAt }) => (
            <li
              key={id}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3"
            >
              <div className="min-w-0 flex-1 basis-60">
                <p dir="auto" className="whitespace-pre-wrap break-words text-sm">
                  {text}
                </p>
                <p className="mt-1 text-xs text-soft">
                  <DayTime instant={usedAt} />
                </p>
              </div>
              <ButtonLink to={paths.writeDaily(id)} look="plain">
                Use again
              </ButtonLink>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
