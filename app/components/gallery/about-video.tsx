import { titleOf } from '~/domain/videos/video-names'
import { excerpt } from '~/lib/text'
import type { OpenedVideo } from './use-opened-video'

/** The text of a question about one video: its name or the beginning of its prompt, then what happens. */
export const AboutVideo = ({ video, text }: { video: OpenedVideo; text: string }) => (
  <>
    <p dir="auto" className="break-words text-ink">
      {excerpt(titleOf(video), 160)}
    </p>
    <p>{text}</p>
  </>
)
