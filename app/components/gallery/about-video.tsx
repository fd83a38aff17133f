import { excerpt } from '~/lib/text'
import type { OpenedVideo } from './use-opened-video'

/** The text of a question about one video: the beginning of its prompt, then what happens. */
export const AboutVideo = ({ video, text }: { video: OpenedVideo; text: string }) => (
  <>
    <p dir="auto" className="break-words text-ink">
      {excerpt(video.prompt, 160)}
    </p>
    <p>{text}</p>
  </>
)
