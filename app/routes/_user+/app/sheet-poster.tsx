import { useState } from 'react'
import { paths } from '~/lib/paths'
import { smallWebpOf } from '~/lib/poster-files'

type Props = {
  id: string
  /** It has become ready on this page: it is developed before the reader's eyes, once it is loaded. */
  isNew: boolean
}

/** The poster of a ready video in its frame of a contact sheet. Without one the frame says 'ready'. */
export function SheetPoster({ id, isNew }: Props) {
  const [state, setState] = useState<'loading' | 'there' | 'missing'>(isNew ? 'loading' : 'there')
  if (state === 'missing') return null
  return (
    <img
      src={smallWebpOf(paths.media(id, 'jpg'))}
      alt=""
      width={360}
      height={640}
      loading="lazy"
      decoding="async"
      onLoad={() => setState('there')}
      onError={() => setState('missing')}
      className={isNew ? (state === 'there' ? 'lands' : 'opacity-0') : undefined}
    />
  )
}
