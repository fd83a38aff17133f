import { picturesInBox } from '~/domain/batches/picture-names'
import type { PromptLine } from '~/domain/batches/rules'
import { shownPictures, type DraftPicture } from '~/domain/videos/requests/pictures'
import { HiddenFields } from '../ui/action-form'
import { FieldErrors } from '../ui/field-frame'

type Props = { prompts: readonly PromptLine[]; pictures: readonly DraftPicture[] }

/** Which prompts of a batch begin with which picture, before it is started. Part of the receipt's form. */
export function ReceiptPictures({ prompts, pictures }: Props) {
  const { says, problems } = picturesInBox(prompts, pictures)
  return (
    <div className="space-y-1 text-sm">
      <HiddenFields fields={{ shownPictures: shownPictures(pictures) }} />
      {says.length > 0 && (
        <>
          <h2 className="font-medium">Pictures</h2>
          <ul>
            {says.map((text) => (
              <li key={text} className="break-words">
                {text}
              </li>
            ))}
          </ul>
        </>
      )}
      <FieldErrors id="promptLines-error" messages={problems} />
    </div>
  )
}
