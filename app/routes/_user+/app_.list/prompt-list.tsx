import { Form } from '@remix-run/react'
import type { ComponentProps } from 'react'
import type { ListView } from '~/domain/lists/types'
import { ActionForm, FormToken } from '~/components/ui/action-form'
import { SubmitButton } from '~/components/ui/submit-button'
import { DraftPictures } from '~/components/create/draft-pictures'
import { RewriteFold } from '~/components/create/rewrite-fold'
import { ListReading } from './list-reading'
import { ListRows } from './list-rows'
import { StartListForm, StartListRow, type StartListProps } from './start-list'

type Props = StartListProps &
  Pick<ComponentProps<typeof ListReading>, 'wording' | 'savedWordings'> & {
    /** Whether a text service can rewrite the prompts. */
    hasTexts?: true
  }

/**
 * The prompts of a file or a table before anything is ordered: which column they are in, which rows
 * are probably none, and how many are started now. Every button sends a form, so it works the same
 * without scripts.
 */
export function PromptList({ wording, savedWordings, hasTexts, ...props }: Props) {
  const { list } = props
  return (
    <>
      <ListReading list={list} wording={wording} savedWordings={savedWordings} />
      <section aria-label="Settings" id="start" className="fold-row scroll-mt-20">
        {list.count > 0 && <StartListForm {...props} />}
        {list.pictures && (
          <Form method="post" encType="multipart/form-data" preventScrollReset className="contents">
            <DraftPictures
              pictures={list.pictures.drafts}
              says={list.pictures.says}
              errors={[...(props.errors.pictures ?? []), ...list.pictures.problems]}
            />
            <FormToken />
          </Form>
        )}
        {hasTexts && list.count > 0 && (
          <Form method="post" className="contents">
            <RewriteFold />
            <FormToken />
          </Form>
        )}
        <ListElsewhere list={list} />
      </section>
      {list.count === 0 ? (
        <p className="text-soft">Every row is left out.</p>
      ) : (
        <>
          <ListRows list={list} />
          <StartListRow {...props} />
        </>
      )}
    </>
  )
}

/** What else can be done with the whole list. */
function ListElsewhere({ list: { count, hasOwn } }: { list: ListView }) {
  return (
    <details>
      <summary className="fold-summary is-word">More</summary>
      <div className="flex flex-wrap gap-2">
        {count > 0 && (
          <ActionForm intent="list-to-box">
            <SubmitButton intent="list-to-box" look="plain">
              {hasOwn
                ? 'Put all into the box, with the same settings'
                : 'Put all into the box, one per line'}
            </SubmitButton>
          </ActionForm>
        )}
        <ActionForm intent="discard-list">
          <SubmitButton intent="discard-list" look="warning">
            Remove the list
          </SubmitButton>
        </ActionForm>
      </div>
    </details>
  )
}
