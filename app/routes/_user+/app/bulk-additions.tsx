import { Link } from '@remix-run/react'
import type { DraftText } from '~/domain/videos/requests/drafts'
import type { DraftPicture } from '~/domain/videos/requests/pictures'
import type { FormResponse } from '~/http/forms/forms.server'
import { EXAMPLE_PROMPTS } from '~/lib/example-prompts'
import { paths } from '~/lib/paths'
import { excerpt } from '~/lib/text'
import { DraftPictures } from '~/components/create/draft-pictures'
import { RewriteFold } from '~/components/create/rewrite-fold'
import { OrderTextBoxes } from '~/components/create/order-text-boxes'
import { EXAMPLE_CHARACTERS } from './chip'
import { FileIntake, type useFileIntake } from './file-intake'

type FoldsProps = {
  intake: ReturnType<typeof useFileIntake>
  pictures: readonly DraftPicture[] | null
  says: readonly string[]
  initial: DraftText
  typed: DraftText
  errors: FormResponse['result']['error']
  /** Whether a list waits. Null: none does, and the last row leads to a new one. */
  hasList: boolean | null
  hasTexts: true | undefined
}

/** What can be added to the prompts, in one row. */
export function Folds(props: FoldsProps) {
  const { intake, pictures, says, initial, typed, errors, hasList, hasTexts } = props
  return (
    <div className="fold-row">
      <FileIntake {...intake} errors={errors?.file ?? []} />
      {pictures && (
        <DraftPictures pictures={pictures} says={says} errors={errors?.pictures ?? []} />
      )}
      <OrderTextBoxes initial={initial} typed={typed} errors={errors} />
      <details className="text-sm">
        <summary className="fold-summary is-word">{'{a|b}'}</summary>
        <p>
          {'A {red|blue} boat'} is two prompts: A red boat, and A blue boat. You see each of them
          before anything starts.
        </p>
      </details>
      {hasTexts && <RewriteFold />}
      {hasList ? (
        <Link to={paths.list} className="fold-summary is-word">
          Open the list of prompts
        </Link>
      ) : (
        hasList === false && (
          <button name="intent" value="open-list" className="fold-summary is-word">
            Edit as a list
          </button>
        )
      )}
    </div>
  )
}

type ExampleProps = { form: React.RefObject<HTMLFormElement>; sync: () => void }

/** Each example adds a line to the box. Without scripts the server adds it. */
export function Examples({ form, sync }: ExampleProps) {
  const add = (text: string) => {
    const box = form.current?.elements.namedItem('promptLines')
    if (!(box instanceof HTMLTextAreaElement)) return
    box.value = [box.value.trimEnd(), text].filter(Boolean).join('\n')
    sync()
  }
  return (
    <ul className="examples" aria-label="Example prompts">
      {EXAMPLE_PROMPTS.map((text, index) => (
        <li key={text}>
          <button
            name="intent"
            value={`add-example-${index}`}
            formNoValidate
            title={text}
            onClick={(event) => {
              event.preventDefault()
              add(text)
            }}
            className="example-chip"
          >
            {excerpt(text, EXAMPLE_CHARACTERS)}
          </button>
        </li>
      ))}
    </ul>
  )
}
