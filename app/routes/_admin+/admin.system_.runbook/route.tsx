import { json, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import { Fragment, type ReactNode } from 'react'
import { PageTitle } from '~/components/admin/page-header'
import { textLinkClass } from '~/components/ui/text-link'
import { readRunbook } from './route.server'
import { requireAdmin } from '~/http/session/guards.server'
import type { Block, Piece } from '~/lib/marked-text'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('Runbook')

export async function loader({ request, context }: LoaderFunctionArgs) {
  requireAdmin({ request, context })
  return json({ sections: await readRunbook() })
}

export { shouldRevalidate } from '~/components/ui/page-forms'

/** The runbook as it is written, one section for each finding of the System page. */
export default function RunbookPage() {
  const [opening, ...sections] = useLoaderData<typeof loader>().sections
  return (
    <div className="max-w-3xl space-y-6">
      <PageTitle>Runbook</PageTitle>
      <Link to={paths.admin.system} className={`${textLinkClass} text-sm`}>
        Back to System
      </Link>
      {opening?.blocks.map((block, i) => (
        <Shown key={i} block={block} />
      ))}
      {sections.map(({ title, blocks }) => (
        <section key={title} id={idOf(title)} className="scroll-mt-16 space-y-2">
          <h2 className="text-base font-semibold">{title}</h2>
          {blocks.map((block, i) => (
            <Shown key={i} block={block} />
          ))}
        </section>
      ))}
    </div>
  )
}

/** The same as in `paths.admin.runbook`. */
const idOf = (title: string) => paths.admin.runbook(title).split('#')[1]

const LOOKS = {
  code: (text) => <code className="break-words rounded bg-sunken px-1 font-mono">{text}</code>,
  strong: (text) => <strong>{text}</strong>,
  emphasis: (text) => <em>{text}</em>,
  plain: (text) => text,
} as const satisfies Record<Piece['look'], (text: string) => ReactNode>

const Pieces = ({ pieces }: { pieces: readonly Piece[] }) =>
  pieces.map(({ text, look }, i) => <Fragment key={i}>{LOOKS[look](text)}</Fragment>)

function Shown({ block }: { block: Block }) {
  if (block.kind === 'code') {
    return (
      <pre className="whitespace-pre-wrap break-words rounded bg-sunken p-2 font-mono text-sm">
        <code>{block.text}</code>
      </pre>
    )
  }
  if (block.kind === 'paragraph') {
    return (
      <p className="break-words text-sm">
        <Pieces pieces={block.pieces} />
      </p>
    )
  }
  const List = block.isNumbered ? 'ol' : 'ul'
  return (
    <List
      className={`${block.isNumbered ? 'list-decimal' : 'list-disc'} space-y-1 break-words pl-5 text-sm`}
    >
      {block.items.map((pieces, i) => (
        <li key={i}>
          <Pieces pieces={pieces} />
        </li>
      ))}
    </List>
  )
}
