import { useNavigation } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import {
  MOST_DRAFT_PICTURES,
  PICTURE_BYTES,
  PICTURE_MEGABYTES,
  PICTURE_MEGAPIXELS,
  shownPictures,
  UPLOAD_BYTES,
  UPLOAD_MEGABYTES,
  type DraftPicture,
} from '~/domain/videos/requests/pictures'
import { FailedFields, HiddenFields } from '../ui/action-form'
import { Button, buttonClass } from '../ui/button'
import { FieldErrors } from '../ui/field-frame'
import { showToast } from '../ui/toasts'
import { useHydrated } from '../ui/use-hydrated'
import { failedHere } from './create-form'

const FAILED = failedHere('Pictures not added', 'Failed to add the pictures')

type Props = {
  pictures: readonly DraftPicture[]
  /** Which prompts begin with which picture. */
  says: readonly string[]
  errors: readonly string[]
}

/**
 * The pictures with which the videos of a batch begin. They are stored when they are chosen, so they stay
 * when the form is refused. Part of a form whose buttons have the intents.
 */
export function DraftPictures({ pictures, says, errors }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const isHydrated = useHydrated()
  const isAdding = useNavigation().formData?.get('intent') === 'add-pictures'
  const send = () => {
    const files = [...(input.current?.files ?? [])]
    if (!input.current || files.length === 0) return
    const problem = problemOf(files)
    if (problem === null) button.current?.form?.requestSubmit(button.current)
    else showToast({ kind: 'error', title: 'Pictures not added', description: problem })
    // Otherwise the files would be sent again with the next button.
    input.current.value = ''
  }
  // Files that were chosen before the scripts loaded.
  useEffect(send, [])
  return (
    <details open={pictures.length > 0 || errors.length > 0}>
      <summary className="fold-summary">
        Pictures
        <span> (optional)</span>
      </summary>
      <div className="min-w-0 space-y-2 rounded border border-line p-3 text-sm">
        <FailedFields of="add-pictures" failed={FAILED} />
        <HiddenFields fields={{ shownPictures: shownPictures(pictures) }} />
        <label htmlFor="pictures" className="block text-soft">
          Add pictures with which the videos begin, if you like
        </label>
        <div className="flex flex-wrap items-end gap-2">
          <input
            ref={input}
            id="pictures"
            name="pictures"
            type="file"
            multiple
            accept="image/jpeg,image/png,image/webp"
            onChange={send}
            aria-invalid={errors.length > 0 || undefined}
            aria-describedby={errors.length > 0 ? 'pictures-error pictures-hint' : 'pictures-hint'}
            className="file-field min-w-0 grow"
          />
          <button
            ref={button}
            name="intent"
            value="add-pictures"
            formNoValidate
            hidden={isHydrated}
            className={buttonClass('plain')}
          >
            Add the pictures
          </button>
        </div>
        <p role="status">{isAdding && 'Adding the pictures…'}</p>
        <p id="pictures-hint" className="text-soft">
          One picture is for all prompts. For several, use a table with a column Picture that names
          one for each, such as {pictures[0]?.name ?? 'boat.jpg'}. {LIMITS}
        </p>
        <FieldErrors id="pictures-error" messages={errors} />
        {pictures.length > 0 && (
          <ul className="divide-y divide-line">
            {pictures.map((picture, index) => (
              <li key={picture.name} className="flex items-center justify-between gap-2">
                <span className="min-w-0 break-words">{picture.name}</span>
                <Button
                  look="quiet"
                  name="intent"
                  value={`remove-picture-${index}`}
                  formNoValidate
                  aria-label={`Remove ${picture.name}`}
                >
                  Remove
                </Button>
              </li>
            ))}
          </ul>
        )}
        <ul aria-live="polite" aria-label="Which prompts begin with which picture">
          {says.map((text) => (
            <li key={text} className="break-words">
              {text}
            </li>
          ))}
        </ul>
      </div>
    </details>
  )
}

const LIMITS = `JPEG, PNG or WebP, at most ${MOST_DRAFT_PICTURES}, each ${PICTURE_MEGABYTES} MB and ${PICTURE_MEGAPIXELS} megapixels, ${UPLOAD_MEGABYTES} MB at a time; cut in the middle to the aspect ratio.`

/** The server reads no request that is much larger, so it is not sent. */
function problemOf(files: readonly File[]): string | null {
  const large = files.find(({ size }) => size > PICTURE_BYTES)
  if (large) return `${large.name} has more than ${PICTURE_MEGABYTES} MB`
  const size = files.reduce((sum, file) => sum + file.size, 0)
  return size > UPLOAD_BYTES
    ? `Pictures can have ${UPLOAD_MEGABYTES} MB together at a time. Add some of them first.`
    : null
}
