import type { CollectionName } from '~/domain/videos/collections'
import { paths } from '~/lib/paths'
import { ButtonLink } from '../ui/button'
import { DialogLink } from '../ui/dialog-link'
import { Icon } from '../ui/icon'
import { DELETE, RENAME } from './collection-dialogs'

type Props = {
  collection: CollectionName
  hasClips: boolean
  /** Whether the page is about this collection. Then it has the file of prompts too. */
  isApart?: boolean
}

/** What can be done with a collection. */
export function CollectionActions({ collection: { id, name }, hasClips, isApart = false }: Props) {
  return (
    <div className="flex flex-wrap gap-2">
      {hasClips && (
        <ButtonLink
          look="plain"
          to={paths.collectionArchive(id)}
          reloadDocument
          aria-label={`Download as ZIP: ${name}`}
        >
          <Icon name="archive" className="size-4" />
          ZIP
        </ButtonLink>
      )}
      {hasClips && isApart && (
        <ButtonLink look="plain" to={paths.collectionPrompts(id)} reloadDocument>
          <Icon name="file-text" className="size-4" />
          Prompts
        </ButtonLink>
      )}
      <DialogLink dialog={RENAME} on={id} aria-label={`Rename: ${name}`}>
        <Icon name="pencil" className="size-4" />
        Rename
      </DialogLink>
      <DialogLink dialog={DELETE} on={id} aria-label={`Delete: ${name}`}>
        <Icon name="trash-2" className="size-4" />
        Delete
      </DialogLink>
    </div>
  )
}
