import { useEffect, useState } from 'react'
import type { input } from 'zod'
import { COLLECTIONS_KEEP_NOTHING, type CollectionName } from '~/domain/videos/collections'
import type { intoCollectionForm } from '~/domain/videos/schemas'
import { callApi } from '~/lib/call-api'
import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { ConfirmDialog } from '../ui/confirm'
import { FormToast } from '../ui/toasts'
import { useActionForm } from '../ui/use-action-form'
import { useDialogForm } from '../ui/use-dialog-form'
import { failedOf } from './action-texts'
import { NothingDialog, NothingTicked, useTicked } from './bulk-dialogs'
import { IntoFields } from './into-fields'

type Props = {
  /** The user's collections, if the server has loaded them with the page. */
  loaded: readonly CollectionName[] | null
}

/** Puts the ticked videos into a collection that there is, or into a new one. */
export function CollectDialog({ loaded }: Props) {
  const { count, fields, back, known } = useTicked()
  const { stays, lastResult, message } = useDialogForm()
  const collections = useCollectionNames(loaded)
  const [form, own] = useActionForm<input<typeof intoCollectionForm>>('collect-selected', {
    lastResult,
  })
  if (count === 0) return <NothingTicked text="Select the clips to add first." backTo={back} />
  if (known?.every(({ hasClip }) => !hasClip)) {
    return (
      <NothingDialog
        title="Nothing to add"
        text="None of these videos has a clip. A video can be added once its clip is ready."
        backTo={back}
      />
    )
  }
  return (
    <ConfirmDialog
      {...form}
      title={`Add ${plural(count, 'video')} to a collection`}
      text={
        <p>
          A clip can be in several collections. Videos without a clip are left out. One link shares
          a collection: it is on its page. {COLLECTIONS_KEEP_NOTHING}
        </p>
      }
      intent="collect-selected"
      failed={failedOf('collect-selected')}
      stays={stays}
      confirmLabel="Add"
      isDangerous={false}
      fields={fields}
      cancelTo={back}
    >
      {message && <FormToast toast={message} />}
      <IntoFields into={own.into} name={own.name} collections={collections} />
    </ConfirmDialog>
  )
}

/** Returns the user's collections, which are read when the dialog opens with scripts. Null until then. */
function useCollectionNames(
  loaded: readonly CollectionName[] | null,
): readonly CollectionName[] | null {
  const [read, setRead] = useState(loaded)
  useEffect(() => {
    if (loaded !== null) return
    const load = async () => {
      const result = await callApi<{ collections: CollectionName[] }>('GET', paths.api.collections)
      // A name makes a new one, also if the list cannot be read.
      setRead(result.ok ? result.data.collections : [])
    }
    void load()
  }, [loaded])
  return read
}
