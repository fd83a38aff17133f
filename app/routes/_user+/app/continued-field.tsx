import { Link } from '@remix-run/react'
import type { ContinuedClip } from '~/domain/videos/requests/pictures'
import { paths } from '~/lib/paths'
import { excerpt } from '~/lib/text'
import { textLinkClass } from '~/components/ui/text-link'

/** Stands in place of the picture where a video begins with the last picture of a clip. */
export const ContinuedField = ({ clip: { id, prompt, thumbnailUrl } }: { clip: ContinuedClip }) => (
  <div className="space-y-1.5 text-sm">
    <input type="hidden" name="continues" value={id} />
    <p>The video begins with the last picture of this clip, in its aspect ratio:</p>
    <div className="flex items-center gap-3">
      {thumbnailUrl !== null && (
        <img
          src={thumbnailUrl}
          alt=""
          className="h-20 max-w-32 shrink-0 rounded bg-film object-contain"
        />
      )}
      <p dir="auto" className="min-w-0 break-words text-soft">
        <Link to={paths.video(id)} className={textLinkClass}>
          {excerpt(prompt, 160)}
        </Link>
      </p>
    </div>
    <p>
      <Link to={paths.create('image')} className={textLinkClass}>
        Choose a picture instead
      </Link>
    </p>
  </div>
)
