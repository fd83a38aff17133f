import { json, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import { PageTitle } from '~/components/admin/page-header'
import { unlessUnanswered } from '~/components/layout/should-revalidate'
import { textLinkClass } from '~/components/ui/text-link'
import { readRunbook } from './admin.system_.runbook.server'
import { requireAdmin } from '~/http/session/guards.server'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('Runbook')

export async function loader({ request, context }: LoaderFunctionArgs) {
  requireAdmin({ request, context })
  return json({ sections: await readRunbook() })
}

export { unlessUnanswered as shouldRevalidate }

/** The runbook as it is written, one section for each finding of the System page. */
export default function RunbookPage() {
  const [opening, ...sections] = useLoaderData<typeof loader>().sections
  return (
    <div className="max-w-3xl space-y-6">
      <PageTitle>Runbook</PageTitle>
      <Link to={paths.admin.system} className={`${textLinkClass} text-sm`}>
        Back to System
      </Link>
      {opening && <Text>{opening.text}</Text>}
      {sections.map(({ title, text }) => (
        <section key={title} id={idOf(title)} className="scroll-mt-16 space-y-2">
          <h2 className="text-base font-semibold">{title}</h2>
          <Text>{text}</Text>
        </section>
      ))}
    </div>
  )
}

/** The same as in `paths.admin.runbook`. */
const idOf = (title: string) => paths.admin.runbook(title).split('#')[1]

const Text = ({ children }: { children: string }) => (
  <p className="whitespace-pre-line break-words text-sm">{withoutMarks(children)}</p>
)

/** Without the marks of code, emphasis and links, and with paragraphs of one line each. */
const withoutMarks = (markdown: string): string =>
  markdown
    .replace(/\[([^[\]]+)\]\([^)]*\)/g, '$1')
    .replace(/[`*_]{1,2}(?=\S)|(?<=\S)[`*]{1,2}/g, '')
    .replace(/(?<=\S) *\n(?! *(?:\d+\.|-|\n)) */g, ' ')
