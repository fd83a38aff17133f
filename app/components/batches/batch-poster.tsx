import { mediaVersion } from '~/lib/media-version'
import { paths } from '~/lib/paths'
import { smallWebpOf } from '~/lib/poster-files'

type Props = {
  id: string
  /** Of a video that was made again, so that its old poster is not shown from a cache. */
  version?: { regenerateCount: number; completedAt: string | null }
  className?: string
}

/** The small poster of a ready video, which fills its frame. What it shows is said beside it. */
export function BatchPoster({ id, version, className = '' }: Props) {
  const address = paths.media(id, 'jpg')
  return (
    <img
      src={smallWebpOf(address) + (version ? mediaVersion(version) : '')}
      alt=""
      width={360}
      height={640}
      loading="lazy"
      decoding="async"
      className={`size-full object-cover ${className}`}
    />
  )
}
