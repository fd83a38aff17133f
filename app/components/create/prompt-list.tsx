import { Form, Link } from '@remix-run/react'
import type { ComponentProps } from 'react'
import { paths } from '~/lib/paths'
import { ActionForm, FormToken } from '../ui/action-form'
import { buttonClass } from '../ui/button'
import { SubmitButton } from '../ui/submit-button'
import { DraftPictures } from './draft-pictures'
import { ListReading } from './list-reading'
import { ListRows } from './list-rows'
import { StartList, type StartListProps } from './start-list'

type Props = StartListProps & Pick<ComponentProps<typeof ListReading>, 'wording' | 'savedWordings'>

/**
 * The prompts of a file or a table before anything is ordered: which column they are in, which rows
 * are probably none, and how many are started now. Every button sends a form, so it works the same
 * without scripts.
 */
export function PromptList({ wording, savedWordings, ...props }: Props) {
  const { list } = props
  return (
    <>
      <ListReading list={list} wording={wording} savedWordings={savedWordings} />
      {list.pictures && (
        <Form method="post" encType="multipart/form-data" preventScrollReset>
          <DraftPictures
            pictures={list.pictures.drafts}
            says={list.pictures.says}
            errors={[...(props.errors.pictures ?? []), ...list.pictures.problems]}
          />
          <FormToken />
        </Form>
      )}
      {list.count === 0 ? (
        <p className="text-soft">Every row is left out.</p>
      ) : (
        <StartList {...props} />
      )}
      <div className="flex flex-wrap gap-2">
        {list.count > 0 && (
          <ActionForm intent="list-to-box">
            <SubmitButton intent="list-to-box" look="plain">
              {list.hasOwn
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
        <Link to={paths.create('bulk')} className={buttonClass('plain')}>
          Back, keep the list
        </Link>
      </div>
      {list.count > 0 && <ListRows list={list} />}
    </>
  )
}
