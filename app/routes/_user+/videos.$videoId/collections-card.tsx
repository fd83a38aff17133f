import { Link } from '@remix-run/react'
import type { input } from 'zod'
import { COLLECTIONS_KEEP_NOTHING, type CollectionName } from '~/domain/videos/collections'
import type { intoCollectionForm } from '~/domain/videos/schemas'
import { paths } from '~/lib/paths'
import { IntoFields } from '~/components/gallery/into-fields'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { Button } from '~/components/ui/button'
import { Card } from '~/components/ui/card'
import { Icon } from '~/components/ui/icon'
import { SubmitButton } from '~/components/ui/submit-button'
import { textLinkClass } from '~/components/ui/text-link'
import { useActionForm } from '~/components/ui/use-action-form'

type Props = {
  /** The collections that the clip is in. */
  isIn: readonly CollectionName[]
  /** All collections of the user. */
  all: readonly CollectionName[]
}

/** The collections of a clip: those that it is in, and the form that adds it to one. */
export function CollectionsCard({ isIn, all }: Props) {
  const [form, fields] = useActionForm<input<typeof intoCollectionForm>>('collect')
  const known = new Set(isIn.map(({ id }) => id))
  const others = all.filter(({ id }) => !known.has(id))
  return (
    <Card className="space-y-4">
      <h2 id="collections" className="scroll-mt-20 text-lg font-semibold">
        Collections
      </h2>
      {isIn.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {isIn.map((collection) => (
            <li key={collection.id} className="flex items-center gap-1">
              <Link
                to={paths.collection(collection.id)}
                className={`${textLinkClass} min-w-0 flex-1 text-sm [overflow-wrap:anywhere]`}
              >
                <bdi>{collection.name}</bdi>
              </Link>
              <ActionForm intent="uncollect" preventScrollReset>
                <HiddenFields fields={{ outOf: collection.id }} />
                <Button look="quiet" aria-label={`Remove from ${collection.name}`}>
                  <Icon name="x" className="size-4" />
                </Button>
              </ActionForm>
            </li>
          ))}
        </ul>
      )}
      <details open={isIn.length === 0 || fields.name.errors !== undefined}>
        <summary className={`${textLinkClass} w-fit cursor-pointer text-sm`}>
          Add to a collection
        </summary>
        <ActionForm {...form} intent="collect" preventScrollReset className="mt-2 space-y-3">
          <IntoFields into={fields.into} name={fields.name} collections={others} />
          <SubmitButton intent="collect" look="plain">
            Add
          </SubmitButton>
        </ActionForm>
      </details>
      <p className="text-sm text-soft">{COLLECTIONS_KEEP_NOTHING}</p>
    </Card>
  )
}
